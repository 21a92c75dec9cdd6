import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Git, workTreeOf } from './git.ts';

/** A copy of the repository that one agent has for itself. */
export interface Worktree {
  readonly path: string;
  readonly branch: string;
  /** Where the agent works in it: the same place as in the repository. */
  readonly workingDirectory: string;
  readonly repository: string;
  readonly base: string;
}

/** Some repositories have a million files. */
const copyMs = 10 * 60 * 1000;

/** The one that an agent would get; undefined where there is no repository, or nothing was ever committed to it. */
export async function planWorktree(
  git: Git,
  worktrees: string,
  agentId: string,
  folder: string,
): Promise<Worktree | undefined> {
  const repository = workTreeOf(folder);
  if (repository === undefined) return undefined;
  const base = await headOf(git, repository, 'HEAD');
  if (base === undefined) return undefined;
  const path = join(worktrees, agentId);
  const workingDirectory = join(path, relative(repository, folder));
  return { path, branch: `sekisho/${agentId}`, workingDirectory, repository, base };
}

async function headOf(git: Git, repository: string, name: string): Promise<string | undefined> {
  return (await git(repository, ['rev-parse', '--verify', '--quiet', name]))?.trim();
}

/** Who removes the last worktree removes the folder of them all in the repository, perhaps while git makes one there. */
const addTries = 3;

export async function addWorktree(git: Git, { path, branch, repository, base }: Worktree): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let tries = 1; tries <= addTries; tries += 1) {
    // Git makes the branch first. One that has anything of its own is somebody's, and stays as it is.
    const isMade = tries > 1 && (await headOf(git, repository, branch)) === base;
    const what = isMade ? [path, branch] : ['-b', branch, path, base];
    if ((await git(repository, ['worktree', 'add', ...what], copyMs)) !== undefined) return;
  }
  throw new Error(`git worktree add ${path} failed`);
}

/** What is this tree to an agent that works in the worktree: its counterpart there, if it has one. */
export function treeIn({ repository, path }: Pick<Worktree, 'repository' | 'path'>, tree: string): string {
  const inside = relative(repository, tree);
  return inside.startsWith('..') ? tree : join(path, inside);
}

/**
 * Removes it where nothing would be lost with it. Unsaved work is kept, or committed to the agent's branch where the policy
 * says so; a branch with commits of its own is never deleted. True where the folder is still there.
 */
export async function leaveWorktree(
  git: Git,
  worktree: Worktree,
  policy: 'keep' | 'commit',
  message: string,
): Promise<boolean> {
  const { path, branch, repository, base } = worktree;
  // Somebody may have been here before, and not have come to the branch.
  if (existsSync(path) && (await staysThere(git, worktree, policy, message))) return true;
  if ((await headOf(git, repository, branch)) === base) await git(repository, ['branch', '-D', branch]);
  return false;
}

async function staysThere(
  git: Git,
  { path, repository }: Worktree,
  policy: 'keep' | 'commit',
  message: string,
): Promise<boolean> {
  const dirty = async () => (await git(path, ['status', '--porcelain', '--untracked-files=all'], copyMs)) !== '';
  if ((await dirty()) && policy === 'commit') {
    await git(path, ['add', '-A'], copyMs);
    const author = ['-c', 'user.name=Sekisho', '-c', 'user.email=sekisho@localhost'];
    await git(path, [...author, 'commit', '--no-verify', '--no-gpg-sign', '-m', message], copyMs);
  }
  // Asked again: a commit may have failed, and git's own refusal is the last safeguard (no --force).
  return (
    (await dirty()) || ((await git(repository, ['worktree', 'remove', path], copyMs)) === undefined && existsSync(path))
  );
}
