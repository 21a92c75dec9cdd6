import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../base/failure.ts';
import { problem } from '../kernel/problem.ts';
import type { DataFolder } from './data-folder.ts';
import { folderName } from './folder-name.ts';

/** A folder that was registered: by `init`, by `create_project`, or by a daemon that found none. */
export interface Root {
  readonly path: string;
  /** The id of its store. Several roots may have the same. */
  readonly store: string;
  /** What its rows are filed under: its first path. It stays when the folder moves. */
  readonly key: string;
  /** The database, where it is not the store's own file; without a password. */
  readonly db?: string | undefined;
  readonly at: string;
}

/** Stands where a root was that has moved: whoever makes a folder there again begins with a store of its own. */
interface Moved {
  readonly movedTo: string;
  /** The store of whoever comes next. */
  readonly next: string;
}

/**
 * The registry is a folder with one small file a root, named after its path. A hook asks it for each folder above the one
 * it is in, before every tool call: an open that finds nothing costs it some microseconds, a database milliseconds. Two
 * who register the same root at once are settled by the file system, which makes a file once; so no lock is needed.
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

/** The id of the store that a folder has by its path, for as long as nobody registers it. */
export function storeByPath(data: DataFolder, path: string): string {
  const record = read(fileOf(data, path));
  return record !== undefined && 'movedTo' in record ? record.next : folderName(path);
}

/** All of them, by path. */
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

/** The root as it is registered now, which is another one's word where somebody was faster. */
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
    renameSync(draft, file); // In place of one that has moved.
  } finally {
    rmSync(draft, { force: true });
  }
  return root;
}

/** The same root, with another database from now on. */
export function replaceRoot(data: DataFolder, root: Root): Root {
  const file = fileOf(data, root.path);
  renameSync(writeDraft(data, file, root), file);
  return root;
}

/** The same root, in another place from now on. */
export function moveRoot(data: DataFolder, from: Root, to: string): Root {
  const moved = addRoot(data, { ...from, path: to });
  const file = fileOf(data, from.path);
  const own = folderName(from.path);
  // `~` ends no path's name, so the next store is nobody's yet.
  const next = from.store.replace(/~+$/, '') === own ? `${from.store}~` : own;
  renameSync(writeDraft(data, file, { movedTo: to, next }), file);
  return moved;
}

/**
 * Forgets a root. Its store stays, and whoever registers the folder again has it again; where only this record knows which
 * store that is, it stays too.
 */
export function removeRoot(data: DataFolder, { path, store, key }: Root): boolean {
  if (store !== folderName(path) || key !== path) return false;
  rmSync(fileOf(data, path), { force: true });
  return true;
}

function read(file: string): Root | Moved | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Root | Moved;
  } catch (error) {
    // A folder above it may be a file: neither is a root. What cannot be read is no missing one.
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
