import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readRegular } from '../machine/regular-file.ts';

/** A git worktree: its top folder, and that of its main checkout. */
export interface Worktree {
  readonly top: string;
  readonly main: string;
  /** Git's folder for this worktree, in `.git/worktrees`. */
  readonly record: string;
}

/** The worktree of a folder; undefined in a main checkout, in a submodule and without git. */
export function worktreeAround(folder: string): Worktree | undefined {
  for (let top = folder; ; top = dirname(top)) {
    const mark = statSync(join(top, '.git'), { throwIfNoEntry: false });
    if (mark?.isDirectory() === true) return undefined;
    const found = mark?.isFile() === true ? recordOf(top) : undefined;
    if (found !== undefined) return { top, ...found };
    // A `.git` file that leads nowhere, or a submodule's: the folder above decides.
    if (top === dirname(top)) return undefined;
  }
}

/** The top of a folder's main checkout; the folder itself without git. */
export function repositoryOf(folder: string): string {
  const worktree = worktreeAround(folder);
  if (worktree !== undefined) return worktree.main;
  for (let top = folder; ; top = dirname(top)) {
    if (existsSync(join(top, '.git'))) return top;
    if (top === dirname(top)) return folder;
  }
}

/** The checkout that the nearest `.git` file names, even if that checkout does not know the worktree. */
export function findClaimedCheckout(folder: string): readonly string[] {
  for (let top = folder; ; top = dirname(top)) {
    const found = readRegular(join(top, '.git'));
    const named = 'text' in found ? /^gitdir:\s*(.+?)[\\/]\.git[\\/]worktrees[\\/]/m.exec(found.text)?.[1] : undefined;
    if (named !== undefined) return [resolve(top, named)];
    if (top === dirname(top)) return [];
  }
}

/** The main checkout and git's folder of a worktree. Anybody can write a `.git` file, so the checkout confirms it. */
function recordOf(top: string): Pick<Worktree, 'main' | 'record'> | undefined {
  try {
    const named = /^gitdir:\s*(.+?)\s*$/m.exec(read(join(top, '.git')))?.[1];
    if (named === undefined) return undefined;
    const record = realpathSync(resolve(top, named));
    const common = realpathSync(resolve(record, read(join(record, 'commondir')).trim()));
    if (dirname(record) !== join(common, 'worktrees') || basename(common) !== '.git') return undefined;
    const back = resolve(record, read(join(record, 'gitdir')).trim());
    return realpathSync(back) === realpathSync(join(top, '.git')) ? { main: dirname(common), record } : undefined;
  } catch {
    return undefined; // Git would not recognize this worktree either.
  }
}

/** Reads a file without blocking: a planted one can lead to a pipe. */
function read(path: string): string {
  const found = readRegular(path);
  if ('fault' in found) throw new Error(found.fault);
  return found.text;
}
