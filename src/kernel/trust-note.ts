import type { Sentence } from './text/text.ts';
import { definePhrases } from './text/text.ts';
import type { FileTrust } from './trust.ts';

const phrase = definePhrases({
  configurationNever: {
    en: () =>
      '.sekisho/config.yaml is not trusted: only lang, toolNames and toolsets of it count until a person has seen it (sekisho trust)',
    ja: () =>
      '.sekisho/config.yaml は信頼されていません。人が確認するまで lang、toolNames、toolsets だけが有効です (sekisho trust)',
  },
  configurationChanged: {
    en: () =>
      '.sekisho/config.yaml has changed since a person trusted it: what they saw goes on until somebody trusts the change (sekisho trust)',
    ja: () =>
      '.sekisho/config.yaml は信頼された後に変更されています。変更が信頼されるまで、信頼された内容が使われます (sekisho trust)',
  },
});

/** What there is to say of a configuration that is not as a person saw it. */
export function configurationNote(trust: FileTrust): Sentence | undefined {
  if (trust === 'trusted') return undefined;
  return trust === 'never' ? phrase.configurationNever() : phrase.configurationChanged();
}
