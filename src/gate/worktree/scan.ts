import { createHash } from 'node:crypto';
import {
  type Stats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readSync,
  readlinkSync,
} from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Environment } from '../../base/environment.ts';
import { isJsonObject } from '../../base/json-object.ts';
import { canonicalJson } from '../run/canonical-json.ts';
import type { Found, Kind, Manifest } from './manifest.ts';
import { type Rules, listFolder, pathOf } from './names.ts';

export interface Scan {
  readonly root: string;
  /** Folders of the tree that are no part of the work, as names. */
  readonly leaveOut: readonly string[];
  /** Files that with this very text count as not there. */
  readonly blank: Readonly<Record<string, string>>;
  /** JSON files of which these keys do not count. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** What git is started with. */
  readonly env: Environment;
  /** The tree as it was: its rules hold, its files are looked at whatever git says now. */
  readonly since: Manifest | undefined;
  /** Files that are looked at even where they are ignored now. */
  readonly also?: Iterable<string>;
}

/**
 * The tree as it is now. Everything happens in this thread, one file after the other. Every file is read: a write through
 * a mapping whose page is dirty already changes neither size nor times.
 */
export async function scan({ root, leaveOut, blank, keys, env, since, also = [] }: Scan): Promise<Manifest> {
  const files = new Map<string, Found>();
  const rules: Record<string, Rules> = {};
  const folders = [''];
  const listed = new Set(folders);
  const inPlace = foldersOf(root);
  const blankDigests = new Map(
    Object.entries(blank).map(([name, text]) => [name, textDigest(Buffer.from(text), keys[name])]),
  );
  const nothingLeft = textDigest(Buffer.from('{}'), []);
  const isBlank = (name: string, digest: string) =>
    digest === blankDigests.get(name) || (digest === nothingLeft && Object.hasOwn(keys, name));
  const isOut = (name: string) => leaveOut.some((one) => name === one || name.startsWith(`${one}/`));

  const look = (name: string): void => {
    const path = pathOf(root, name);
    const info = lstatSync(path, { throwIfNoEntry: false });
    // Behind a link that took a folder's place there is another tree.
    if (info === undefined || !inPlace(name)) return;
    if (!info.isDirectory()) {
      const found = describe(path, kindOf(info), keys[name]);
      if (found !== undefined && !isBlank(name, found.digest)) files.set(name, found);
    } else if (!listed.has(name)) {
      listed.add(name);
      folders.push(name);
    }
  };

  // Git lists what is there now while we look at what was there then.
  const top = listFolder(root, since?.rules[''], env, true);
  top.catch(() => undefined);
  let looked = 0;
  for (const name of since?.files.keys() ?? []) {
    look(name);
    if (++looked % breath === 0) await setImmediate();
  }
  for (const folder of folders) {
    const place = folder === '' ? root : pathOf(root, folder);
    // A folder that came later counts with everything in it: nobody knew its rules when the tree was recorded.
    const given = since === undefined ? undefined : (since.rules[folder] ?? { git: false, lines: [] });
    const found = await (folder === '' ? top : listFolder(place, given, env, false));
    rules[folder] = found.rules;
    for (const one of found.names) {
      const whole = folder === '' ? one : `${folder}/${one}`;
      const name = whole.endsWith('/') ? whole.slice(0, -1) : whole;
      if (!files.has(name) && !isOut(name)) look(name);
    }
  }
  for (const name of also) {
    // A folder that took a file's place is another matter: whether it counts, the rules say.
    if (!files.has(name) && !isOut(name) && !isFolder(pathOf(root, name))) look(name);
    if (++looked % breath === 0) await setImmediate();
  }
  return { files, rules: since?.rules ?? rules };
}

/** Is every folder on the way to a name a real one? Asked once for each folder. */
function foldersOf(root: string): (name: string) => boolean {
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

function isFolder(path: string | Buffer): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function parentOf(name: string): string {
  const at = name.lastIndexOf('/');
  return at < 0 ? '' : name.slice(0, at);
}

/** After so many files what git has written is taken in, or it would wait for us. */
const breath = 1000;

const nothing = createHash('sha256').digest('hex');

/** Undefined where it has just been removed. Throws where it cannot be read: then nobody can tell what is in it. */
function describe(path: string | Buffer, kind: Kind, keys: readonly string[] | undefined): Found | undefined {
  try {
    return { kind, digest: digestOf(path, kind, keys) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function kindOf(info: Stats): Kind {
  if (info.isSymbolicLink()) return 'l';
  if (!info.isFile()) return 'o';
  return (info.mode & 0o100) === 0 ? 'f' : 'x';
}

const chunk = Buffer.allocUnsafe(1 << 20);

function digestOf(path: string | Buffer, kind: Kind, keys: readonly string[] | undefined): string {
  if (kind === 'o') return nothing;
  const hash = createHash('sha256');
  if (kind === 'l') return hash.update(readlinkSync(path, { encoding: 'buffer' })).digest('hex');
  // Not blocking: it may have become a pipe since we looked.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const info = fstatSync(file);
    if (!info.isFile()) return nothing;
    if (keys !== undefined && info.size <= chunk.length) return textDigest(readFileSync(file), keys);
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) hash.update(chunk.subarray(0, size));
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}

/** Of the text; with keys that do not count, of the rest, however it is laid out. */
function textDigest(text: Buffer, keys: readonly string[] | undefined): string {
  const hash = createHash('sha256');
  return hash.update((keys === undefined ? undefined : without(text, keys)) ?? text).digest('hex');
}

/** Undefined where it is no JSON object: then every byte counts. */
function without(text: Buffer, keys: readonly string[]): string | undefined {
  try {
    const whole: unknown = JSON.parse(text.toString('utf8'));
    if (!isJsonObject(whole)) return undefined;
    return canonicalJson(Object.fromEntries(Object.entries(whole).filter(([key]) => !keys.includes(key))));
  } catch {
    return undefined; // With comments in it, say.
  }
}
