import type { Context } from '../kernel/context.ts';
import { entry } from '../kernel/store/journal.ts';
import type { Entry, Write } from '../kernel/store/store.ts';
import { runGit, tryGit } from '../machine/git.ts';
import { join, relative } from 'node:path';
import type { FilesNotWrittenByAgents } from '../sandbox/port.ts';
import { type Change, updateChange } from './change.ts';
import { type CommitText, commitTree } from './commit-tree.ts';
import { folderIn } from './plan-change.ts';
import type { KeptFiles } from './read-tree.ts';
import { homeOf, restoreTree } from './tree.ts';

export type Recorder = Pick<Context, 'store' | 'environment' | 'now' | 'newId' | 'actor' | 'log'>;

/** One attempt at a change, as its commit describes it. */
export interface Attempt {
  /** The agent that worked. */
  readonly agent: string;
  readonly author: string;
  readonly task?: string | undefined;
  readonly run?: string | null | undefined;
  /** True if the agent has reported: what it does afterwards does not belong to the change. */
  readonly reported: boolean;
  readonly kept: KeptFiles;
}

/** A commit that exists in the repository but does not count before its writes are committed. */
export interface StagedCommit {
  readonly writes: readonly Write[];
  readonly entries: readonly Entry[];
  /** Moves the branch; call it after the writes were committed. */
  readonly publish: () => Promise<void>;
}

const nothingStaged: StagedCommit = { writes: [], entries: [], publish: () => Promise.resolve() };

/** The files of a tree that no attempt changes, by their paths below the top of the tree. */
export function keptFiles(
  change: Pick<Change, 'path' | 'repository'>,
  root: string,
  { blank, made, keys }: FilesNotWrittenByAgents,
  paths: readonly string[],
): KeptFiles {
  const prefix = relative(change.path, folderIn(change, root));
  const below = (path: string) => join(prefix, path);
  const moved = <T>(all: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(all).map(([path, value]) => [below(path), value]));
  return { blank: moved(blank), made: ['.sekisho', ...made].map(below), keys: moved(keys), paths: paths.map(below) };
}

function textOf(change: Change, { agent, author, task, run }: Attempt, at: Date): CommitText {
  return {
    subject: change.title,
    trailers: { 'Sekisho-Task': task, 'Sekisho-Agent': agent, 'Sekisho-Run': run ?? undefined },
    author: treeAuthor(agent, author),
    at,
  };
}

export function treeAuthor(agent: string, name: string) {
  return { name, email: `${agent}@sekisho.invalid` };
}

/** Records the files of a tree as the next commit of its change. */
export async function stageAttempt(context: Recorder, change: Change, attempt: Attempt): Promise<StagedCommit> {
  const { environment: env } = context;
  const at = context.now();
  const ref = `refs/sekisho/new/${change.id}/${context.newId('')}`;
  const made = await commitTree(change, ref, textOf(change, attempt, at), attempt.kept, env);
  const reported = attempt.reported && change.reportedBy !== attempt.agent;
  if (made === undefined && !reported) return nothingStaged;
  const { commit, files, additions, deletions, leftOut } = made ?? { ...change, commit: change.head, leftOut: [] };
  const facts = { owner: change.owner, branch: change.branch, agent: attempt.agent, files, additions, deletions };
  return {
    writes: [
      updateChange(change, at.toISOString(), {
        head: commit,
        files,
        additions,
        deletions,
        ...(attempt.reported && { reported_by: attempt.agent }),
      }),
    ],
    entries:
      made === undefined
        ? []
        : [
            entry({ ...context, now: () => at, project: { key: change.project } }, change.id, 'change.recorded', {
              ...facts,
              commit,
              parent: change.head ?? change.base,
              ...(leftOut.length > 0 && { left_out: leftOut.slice(0, 50) }),
            }),
          ],
    publish: () => (made === undefined ? Promise.resolve() : publish(context, change, made.commit)),
  };
}

/** Points our ref and the branch at a commit. A branch that somebody else moved stays as it is: it is only a label. */
async function publish({ environment, log }: Recorder, change: Change, commit: string): Promise<void> {
  const home = homeOf(change, environment);
  await runGit(home, ['update-ref', `refs/sekisho/change/${change.id}`, commit]);
  const old = change.head ?? '0'.repeat(commit.length);
  const moved = await tryGit(home, ['update-ref', `refs/heads/${change.branch}`, commit, old]);
  if (moved === undefined) log.warn('a branch was moved by somebody else and stays', { branch: change.branch, commit });
  const drafts = await tryGit(home, ['for-each-ref', '--format=%(refname)', `refs/sekisho/new/${change.id}/`]);
  for (const one of (drafts ?? '').split('\n')) if (one !== '') await tryGit(home, ['update-ref', '-d', one]);
}

/**
 * Keeps what an agent did after its report on a branch of its own, which never lands, and makes the tree what was
 * reported. Returns the branch; undefined if there is nothing.
 */
export async function keepLeftovers(context: Recorder, change: Change, attempt: Attempt): Promise<string | undefined> {
  const branch = `sekisho/leftover/${attempt.agent}`;
  const text = textOf(change, attempt, context.now());
  const made = await commitTree(change, `refs/heads/${branch}`, text, attempt.kept, context.environment);
  if (made === undefined) return undefined;
  await restoreTree(change, context.environment);
  return branch;
}

/** Removes the row and the refs of a change in which nothing was recorded. Its tree is removed before. */
export function discardWrites({ environment }: Pick<Recorder, 'environment'>, change: Change) {
  return {
    writes: [{ sql: 'delete from change where id = :id and head is null', args: { id: change.id }, rows: 1 }],
    forget: () => tryGit(homeOf(change, environment), ['update-ref', '-d', `refs/sekisho/base/${change.id}`]),
  };
}
