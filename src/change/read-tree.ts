import { createHash } from 'node:crypto';
import { constants, closeSync, fstatSync, lstatSync, openSync, readFileSync, readlinkSync } from 'node:fs';
import type { Environment } from '../base/environment.ts';
import { listFolder, pathOf } from '../gate/index.ts';
import { type Repository, runGit } from '../machine/git.ts';
import type { FilesNotWrittenByAgents } from '../sandbox/port.ts';
import type { Change } from './change.ts';

/** A file that differs from the last recorded commit. Names are byte strings ('latin1'), as git and the disk have them. */
export interface ChangedFile {
  readonly name: string;
  /** The id of the content as git computes it; undefined if the file is gone. */
  readonly id: string | undefined;
  readonly mode: string;
  readonly bytes: Buffer;
}

export interface TreeFiles {
  readonly changed: readonly ChangedFile[];
  /** New files that are never recorded: secrets, nested repositories, special files. */
  readonly leftOut: readonly string[];
}

interface Entry {
  readonly mode: string;
  readonly id: string;
}

/** Files that stay as they are in the last commit, whatever is on the disk. */
export interface KeptFiles extends FilesNotWrittenByAgents {
  /** Paths below the top of the tree: working papers, files that we placed. */
  readonly paths: readonly string[];
}

export const nothingKept: KeptFiles = { blank: {}, made: [], keys: {}, paths: [] };

const gitlink = '160000';
/** Untracked files that usually contain secrets. */
const secret = /(^|\/)(\.env(\.[^/]*)?|passkeys[^/]*)$/;

/**
 * Compares the files of a tree with its last recorded commit. Every file is read here, and the bytes that were read are
 * the ones that are recorded: neither the index of the tree nor its attributes, filters or flags have a say.
 */
export async function readTreeFiles(
  home: Repository,
  change: Pick<Change, 'path' | 'base' | 'head' | 'filtered'>,
  env: Environment,
  kept: KeptFiles = nothingKept,
): Promise<TreeFiles> {
  const before = await listCommit(home, change.head ?? change.base);
  const { names } = await listFolder(change.path, undefined, env, false);
  const listed = new Set(names.map((one) => (one.endsWith('/') ? one.slice(0, -1) : one)));
  const isKept = keptNames(kept);
  const isInPlace = realFolders(change.path);
  const changed: ChangedFile[] = [];
  const leftOut: string[] = [];
  for (const name of [...new Set([...before.keys(), ...listed])].toSorted()) {
    const was = before.get(name);
    if (isKept(name) || was?.mode === gitlink) continue;
    const found = isInPlace(name)
      ? readEntry(pathOf(change.path, name), (was?.id.length ?? hexLength(before)) > 40)
      : undefined;
    if (found === undefined || found === 'folder') {
      if (was !== undefined) changed.push({ name, id: undefined, mode: was.mode, bytes: nothing });
      else if (found === 'folder') leftOut.push(name);
      continue;
    }
    if (found === 'special' || (was === undefined && secret.test(name))) leftOut.push(name);
    else if (kept.blank[name] !== undefined && found.bytes.equals(Buffer.from(kept.blank[name] ?? ''))) continue;
    else if (found.id !== was?.id && found.id !== change.filtered[name]) changed.push({ name, ...found });
    else if (was !== undefined && found.mode !== was.mode) changed.push({ name, ...found });
  }
  return { changed, leftOut };
}

const nothing = Buffer.alloc(0);

function hexLength(before: ReadonlyMap<string, Entry>): number {
  return [...before.values()][0]?.id.length ?? 40;
}

async function listCommit(home: Repository, commit: string): Promise<ReadonlyMap<string, Entry>> {
  const listed = (await runGit(home, ['ls-tree', '-r', '-z', '--full-tree', commit])).toString('latin1');
  return new Map(
    listed
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => {
        const tab = line.indexOf('\t');
        const [mode = '', , id = ''] = line.slice(0, tab).split(' ');
        return [line.slice(tab + 1), { mode, id }] as const;
      }),
  );
}

function keptNames({ made, keys, paths }: KeptFiles): (name: string) => boolean {
  const exact = new Set([...paths, ...Object.keys(keys)].map(latin1));
  const folders = made.map(latin1);
  return (name) => exact.has(name) || folders.some((one) => name === one || name.startsWith(`${one}/`));
}

function latin1(path: string): string {
  return Buffer.from(path).toString('latin1');
}

/** Tells whether all folders above a name are real: nothing behind a link belongs to the tree. */
function realFolders(root: string): (name: string) => boolean {
  const known = new Map([['', true]]);
  const isReal = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const info = lstatSync(pathOf(root, folder), { throwIfNoEntry: false });
    const result = info?.isDirectory() === true && isReal(parentOf(folder));
    known.set(folder, result);
    return result;
  };
  return (name) => isReal(parentOf(name));
}

function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

type Found = { readonly id: string; readonly mode: string; readonly bytes: Buffer };

function readEntry(path: string | Buffer, isLong: boolean): Found | 'folder' | 'special' | undefined {
  const info = lstatSync(path, { throwIfNoEntry: false });
  if (info === undefined) return undefined;
  if (info.isDirectory()) return 'folder';
  if (info.isSymbolicLink()) return entryOf('120000', readlinkSync(path, { encoding: 'buffer' }), isLong);
  if (!info.isFile()) return 'special';
  let file: number;
  try {
    // Non-blocking: it may have become a pipe since lstat.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { mode } = fstatSync(file);
    return entryOf((mode & 0o100) === 0 ? '100644' : '100755', readFileSync(file), isLong);
  } finally {
    closeSync(file);
  }
}

function entryOf(mode: string, bytes: Buffer, isLong: boolean): Found {
  const hash = createHash(isLong ? 'sha256' : 'sha1');
  return { id: hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex'), mode, bytes };
}
