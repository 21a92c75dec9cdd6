/** A file of a project as a person saw it last. */
export interface TrustedFile {
  readonly digest: string;
  readonly text: string;
}

/** By the path below the project's root; an absolute one for what lies elsewhere. */
export type TrustedFiles = ReadonlyMap<string, TrustedFile>;

/** How a file stands to what a person saw. `changed` and `removed`: what they saw goes on. `never`: nobody looked at it yet. */
export const fileTrusts = ['trusted', 'changed', 'removed', 'never'] as const;
export type FileTrust = (typeof fileTrusts)[number];

/** The configuration among the files of a project. */
export const configurationFile = '.sekisho/config.yaml';

/** What a person has looked at now; no text: the file is gone, and may be. */
export interface Seen {
  readonly file: string;
  readonly text: string | undefined;
  /** What it would start. */
  readonly programs: readonly string[];
}
