import type { Environment } from '../base/environment.ts';
import { type Repository, runGit } from '../machine/git.ts';
import type { Change } from './change.ts';
import { type ChangedFile, type KeptFiles, readTreeFiles } from './read-tree.ts';
import { homeOf, subjectsIn, type TreeAuthor } from './tree.ts';

export interface CommitText {
  readonly subject: string;
  /** Trailers: `Sekisho-Task`, `Sekisho-Agent`, `Sekisho-Run`. */
  readonly trailers: Readonly<Record<string, string | undefined>>;
  readonly author: TreeAuthor;
  readonly at: Date;
}

export interface RecordedCommit {
  readonly commit: string;
  /** Compared with the commit on which the change started. */
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
  readonly leftOut: readonly string[];
}

/**
 * Records the files of a tree as a commit in the main checkout's repository, under a ref of ours. Undefined if they are
 * those of the last recorded commit. The commit is made from the bytes that were read and hashed here.
 */
export async function commitTree(
  change: Change,
  ref: string,
  text: CommitText,
  kept: KeptFiles,
  env: Environment,
): Promise<RecordedCommit | undefined> {
  const home = homeOf(change, env);
  const { changed, leftOut } = await readTreeFiles(home, change, env, kept);
  if (changed.length === 0) return undefined;
  const subjects = await subjectsIn(change, env);
  const parent = change.head ?? change.base;
  const commit = await importCommit(home, ref, parent, messageOf(text, subjects), text, changed);
  return { commit, ...(await countLines(home, change.base, commit)), leftOut };
}

/** The message: the subject, the subjects of the agent's own commits, our trailers. */
function messageOf({ subject, trailers }: CommitText, subjects: readonly string[]): string {
  const line = (one: string) => one.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  const own = subjects.map(line).filter((one) => one !== '');
  const ends = Object.entries(trailers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const paragraphs = [
    line(subject).slice(0, 200) || 'Work of an agent',
    own.map((one) => `- ${one}`).join('\n'),
    ends.join('\n'),
  ];
  return `${paragraphs.filter((one) => one !== '').join('\n\n')}\n`;
}

async function importCommit(
  home: Repository,
  ref: string,
  parent: string,
  message: string,
  { author, at }: CommitText,
  changed: readonly ChangedFile[],
): Promise<string> {
  const time = `${Math.floor(at.getTime() / 1000)} +0000`;
  const person = ({ name, email }: TreeAuthor) =>
    `${name.replaceAll(/[<>\p{Cc}]/gu, '')} <${email.replaceAll(/[<>\s]/g, '')}>`;
  const parts: (string | Buffer)[] = [];
  const data = (bytes: Buffer) => parts.push(`data ${bytes.length}\n`, bytes, '\n');
  const present = changed.filter((one) => one.id !== undefined);
  for (const [index, { bytes }] of present.entries()) {
    parts.push(`blob\nmark :${index + 2}\n`);
    data(bytes);
  }
  parts.push(
    `commit ${ref}\nmark :1\nauthor ${person(author)} ${time}\ncommitter Sekisho <sekisho@localhost> ${time}\n`,
  );
  data(Buffer.from(message));
  parts.push(`from ${parent}\n`);
  // Removals first: a file may have become a folder.
  for (const { name, id } of changed) if (id === undefined) parts.push(Buffer.from(`D ${quote(name)}\n`, 'latin1'));
  for (const [index, { name, mode }] of present.entries())
    parts.push(Buffer.from(`M ${mode} :${index + 2} ${quote(name)}\n`, 'latin1'));
  parts.push('\nget-mark :1\ndone\n');
  const input = Buffer.concat(parts.map((one) => (typeof one === 'string' ? Buffer.from(one) : one)));
  const output = await runGit(home, ['fast-import', '--quiet', '--done', '--force'], { input });
  return output.toString('utf8').trim();
}

/** Quotes a name for fast-import; bytes other than these are taken as they are. */
function quote(name: string): string {
  return `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

async function countLines(home: Repository, from: string, to: string) {
  const listed = await runGit(home, ['diff-tree', '-r', '-z', '--no-renames', '--numstat', from, to]);
  const lines = listed
    .toString('utf8')
    .split('\0')
    .filter((one) => one !== '');
  const sum = (column: number) => lines.reduce((all, line) => all + (Number(line.split('\t')[column]) || 0), 0);
  return { files: lines.length, additions: sum(0), deletions: sum(1) };
}
