import { type Sentence, definePhrases } from './text/text.ts';
import type { FileTrust } from './trust.ts';
import * as ja from './ja.ts';

export const english = {
  configurationNever: () =>
    '.sekisho/config.yaml is not trusted: only lang, toolNames and toolsets take effect until a person trusts it (sekisho trust)',
  configurationChanged: () =>
    '.sekisho/config.yaml has changed since a person trusted it: the trusted version stays in effect until a person trusts the change (sekisho trust)',
};

const phrase = definePhrases(english, ja.trustNote);

/** The warning about a configuration that is not as a person trusted it. */
export function configurationNote(trust: FileTrust): Sentence | undefined {
  if (trust === 'trusted') return undefined;
  return trust === 'never' ? phrase.configurationNever() : phrase.configurationChanged();
}
