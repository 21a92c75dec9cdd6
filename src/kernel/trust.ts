import type { Sentence } from './text.ts';
import { definePhrases } from './text.ts';

/** A file of a project as a person saw it last. */
export interface TrustedFile {
  readonly digest: string;
  readonly text: string;
}

/** By the path below the project's root; an absolute one for what lies elsewhere. */
export type TrustedFiles = ReadonlyMap<string, TrustedFile>;

/** How a file stands to what a person saw. `changed` and `removed`: what they saw goes on. `never`: nobody looked at it yet. */
export type FileTrust = 'trusted' | 'changed' | 'removed' | 'never';

/** The configuration among the files of a project. */
export const configurationFile = '.sekisho/config.yaml';

/** What a person has looked at now; no text: the file is gone, and may be. */
export interface Seen {
  readonly file: string;
  readonly text: string | undefined;
  /** What it would start. */
  readonly programs: readonly string[];
}

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
