import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../base/failure.ts';
import { problem } from '../kernel/problem.ts';
import type { DataFolder } from './data-folder.ts';
import { folderName } from './folder-name.ts';

/** A registered folder. `init` and `create_project` register one, and so does a daemon that finds none. */
export interface Root {
  readonly path: string;
  /** The id of its store, which several roots can share. */
  readonly store: string;
  /** The key of its rows: its first path. It stays when the folder moves. */
  readonly key: string;
  /** The database, if it is not the store's own file; without a password. */
  readonly db?: string | undefined;
  readonly at: string;
}

/** The record at the old path of a root that has moved: a new folder there gets a store of its own. */
interface Moved {
  readonly movedTo: string;
  /** The store of the next folder at this path. */
  readonly next: string;
}

/**
 * The registry's file for a path. The registry is a folder with one small file per root. A hook looks up each folder above its
 * own before every tool call: opening a missing file takes microseconds, a database milliseconds. If two processes register
 * the same root at once, the file system creates the file only once, so no lock is needed.
 */
function fileOf(data: DataFolder, path: string): string {
  return join(registryOf(data), `${folderName(path)}.json`);
}

function registryOf(data: DataFolder): string {
  return join(data.state, 'roots');
}

export function readRoot(data: DataFolder, path: string): Root | undefined {
  const record = read(fileOf(data, path));
  return record === undefined || 'movedTo' in record ? undefined : record;
}

/** The id of the store that a folder has by its path until it is registered. */
export function storeByPath(data: DataFolder, path: string): string {
  const record = read(fileOf(data, path));
  return record !== undefined && 'movedTo' in record ? record.next : folderName(path);
}

/** All roots, sorted by path. */
export function listRoots(data: DataFolder): readonly Root[] {
  if (!existsSync(registryOf(data))) return [];
  return readdirSync(registryOf(data), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const record = read(join(registryOf(data), name));
      return record === undefined || 'movedTo' in record ? [] : [record];
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Adds a root and returns the registered one, which is another process's if that was faster. */
export function addRoot(data: DataFolder, root: Root): Root {
  const file = fileOf(data, root.path);
  const draft = writeDraft(data, file, root);
  try {
    // Unlike a rename, a link never replaces what is there.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const there = readRoot(data, root.path);
    if (there !== undefined) return there;
    renameSync(draft, file); // It replaces the record of a root that has moved.
  } finally {
    rmSync(draft, { force: true });
  }
  return root;
}

export function replaceRoot(data: DataFolder, root: Root): Root {
  const file = fileOf(data, root.path);
  renameSync(writeDraft(data, file, root), file);
  return root;
}

export function moveRoot(data: DataFolder, from: Root, to: string): Root {
  const moved = addRoot(data, { ...from, path: to });
  const file = fileOf(data, from.path);
  const own = folderName(from.path);
  // No path's name ends in `~`, so the next store is unused.
  const next = from.store.replace(/~+$/, '') === own ? `${from.store}~` : own;
  renameSync(writeDraft(data, file, { movedTo: to, next }), file);
  return moved;
}

/** Removes a root; its store stays. Returns false, and keeps it, if only this record knows which store it has. */
export function removeRoot(data: DataFolder, { path, store, key }: Root): boolean {
  if (store !== folderName(path) || key !== path) return false;
  rmSync(fileOf(data, path), { force: true });
  return true;
}

function read(file: string): Root | Moved | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Root | Moved;
  } catch (error) {
    // ENOTDIR: a folder above it is a file. A file that exists but cannot be read is an error.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw problem.BAD_CONFIGURATION({ file, reason: messageOf(error) });
  }
}

function writeDraft(data: DataFolder, file: string, record: Root | Moved): string {
  mkdirSync(data.state, { recursive: true, mode: 0o700 });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${performance.now()}`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  return draft;
}
