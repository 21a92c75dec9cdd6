import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { worktreeAround } from './worktree.ts';

/** The lines of `.git/info/exclude` that keep a person's own files out of version control without changing a tracked file. */
export function excludedFromGit(
  tree: string,
  paths: readonly string[],
): { readonly path: string; readonly lines: readonly string[] } | undefined {
  const git = gitAround(tree);
  const lines = git === undefined ? [] : paths.map((path) => `/${relative(git.top, path)}`).filter(isInside);
  if (git === undefined || lines.length === 0) return undefined;
  return { path: join(git.folder, 'info', 'exclude'), lines: [...new Set(lines)] };
}

function isInside(line: string): boolean {
  return !line.startsWith('/..');
}

/** The top of the checkout or worktree around a folder. */
export function gitTop(tree: string): string | undefined {
  return gitAround(tree)?.top;
}

function gitAround(tree: string): { readonly top: string; readonly folder: string } | undefined {
  const worktree = worktreeAround(tree);
  if (worktree !== undefined) return { top: worktree.top, folder: join(worktree.main, '.git') };
  for (let top = tree; ; top = dirname(top)) {
    const folder = join(top, '.git');
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return { top, folder };
    if (top === dirname(top)) return undefined;
  }
}
