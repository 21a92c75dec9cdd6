import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Git, workTreeOf } from './git.ts';

/** A git worktree for one agent. */
export interface Worktree {
  readonly path: string;
  readonly branch: string;
  /** The agent's working directory, at the same relative path as in the repository. */
  readonly workingDirectory: string;
  readonly repository: string;
  readonly base: string;
}

/** Some repositories have a million files. */
const copyMs = 10 * 60 * 1000;

/** Plans an agent's worktree; undefined if there is no repository or it has no commit. */
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

/** Git fails to add a worktree while another process removes the last one, and with it their common folder. */
const addTries = 3;

export async function addWorktree(git: Git, { path, branch, repository, base }: Worktree): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let tries = 1; tries <= addTries; tries += 1) {
    // Git creates the branch first. A branch with commits of its own belongs to someone, and stays as it is.
    const isMade = tries > 1 && (await headOf(git, repository, branch)) === base;
    const what = isMade ? [path, branch] : ['-b', branch, path, base];
    if ((await git(repository, ['worktree', 'add', ...what], copyMs)) !== undefined) return;
  }
  throw new Error(`git worktree add ${path} failed`);
}

/** Maps a tree of the repository to its counterpart in the worktree; a tree outside the repository stays. */
export function treeIn({ repository, path }: Pick<Worktree, 'repository' | 'path'>, tree: string): string {
  const inside = relative(repository, tree);
  return inside.startsWith('..') ? tree : join(path, inside);
}

/**
 * Removes a worktree if that loses nothing. Unsaved work is kept, or committed to the agent's branch if the policy says
 * so; a branch with its own commits is never deleted. Returns true if the folder is still there.
 */
export async function leaveWorktree(
  git: Git,
  worktree: Worktree,
  policy: 'keep' | 'commit',
  message: string,
): Promise<boolean> {
  const { path, branch, repository, base } = worktree;
  // Another process may have removed the folder but not the branch.
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
  // Checked again: a commit may have failed, and git's own refusal is the last safeguard (no --force).
  return (
    (await dirty()) || ((await git(repository, ['worktree', 'remove', path], copyMs)) === undefined && existsSync(path))
  );
}
