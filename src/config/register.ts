import { relative, join } from 'node:path';
import type { DataFolder } from './data-folder.ts';
import { realPath } from './locate.ts';
import { type Root, addRoot, replaceRoot, storeByPath } from './root.ts';
import { worktreeAround } from './worktree.ts';

/** The folder to register for this one: its real path, or its counterpart in the main checkout if it is in a worktree. */
export function rootOf(folder: string): string {
  const real = realPath(folder);
  const worktree = worktreeAround(real);
  return worktree === undefined ? real : join(worktree.main, relative(worktree.top, real));
}

/** Registers a folder as a root. If it is registered, only the database changes, if a person names another one. */
export function registerRoot(
  data: DataFolder,
  folder: string,
  now: Date,
  into?: { readonly store?: string; readonly db: string | undefined },
): Root {
  const path = rootOf(folder);
  const root = addRoot(data, {
    path,
    store: into?.store ?? storeByPath(data, path),
    key: path,
    ...(into?.db !== undefined && { db: into.db }),
    at: now.toISOString(),
  });
  return into?.db === undefined || into.db === root.db ? root : replaceRoot(data, { ...root, db: into.db });
}
