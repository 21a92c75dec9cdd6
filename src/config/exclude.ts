import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { worktreeAround } from './worktree.ts';

/** Keeps files that are one person's own out of version control, without touching a file that is in it. */
export function excludeFromGit(tree: string, paths: readonly string[]): void {
  const git = gitAround(tree);
  const lines = git === undefined ? [] : paths.map((path) => `/${relative(git.top, path)}`).filter(isInside);
  if (git === undefined || lines.length === 0) return;
  const file = join(git.folder, 'info', 'exclude');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const fresh = lines.filter((line) => !before.split('\n').includes(line));
  if (fresh.length === 0) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${fresh.join('\n')}\n`);
}

function isInside(line: string): boolean {
  return !line.startsWith('/..');
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
