import { type Sentence, definePhrases } from './text/text.ts';
import * as ja from './ja.ts';

/** A file of a project as a person last trusted it. */
export interface TrustedFile {
  readonly digest: string;
  readonly text: string;
}

/** Trusted files by their path below the project's root, or by the absolute path of a file outside of it. */
export type TrustedFiles = ReadonlyMap<string, TrustedFile>;

/** The trust states of a file. `changed`, `removed`: the trusted version stays in effect. `never`: not reviewed yet. */
export const fileTrusts = ['trusted', 'changed', 'removed', 'never'] as const;
export type FileTrust = (typeof fileTrusts)[number];

/** The path of the configuration below the project's root. */
export const configurationFile = '.sekisho/config.yaml';

/** A file that a person has just reviewed. Without a text they agreed to its removal. */
export interface ReviewedFile {
  readonly file: string;
  readonly text: string | undefined;
  /** The programs that it would start. */
  readonly programs: readonly string[];
}

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
