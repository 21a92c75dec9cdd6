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
import type { TreeEntry, Kind, Manifest } from './manifest.ts';
import { type Rules, listFolder, pathOf } from './names.ts';

/** A tree and its parts that do not belong to the work. */
export interface Tree {
  readonly root: string;
  readonly leaveOut: readonly string[];
  /** Files that count as absent if they have exactly this text: Sekisho creates them while an agent works. */
  readonly blank: Readonly<Record<string, string>>;
  /** JSON files and their keys that are ignored. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly env: Environment;
}

export interface Scan extends Tree {
  /** The earlier tree: its ignore rules apply, and its files are read even if git ignores them now. */
  readonly since: Manifest | undefined;
  /** Files that are read even if they are ignored now. */
  readonly also?: Iterable<string>;
}

/** Reads the current tree. Every file is read: a write through a memory mapping can change neither size nor times. */
export async function scanTree({ root, leaveOut, blank, keys, env, since, also = [] }: Scan): Promise<Manifest> {
  const files = new Map<string, TreeEntry>();
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
    // Do not look behind a link that replaced a folder: it leads to another tree.
    if (info === undefined || !inPlace(name)) return;
    if (!info.isDirectory()) {
      const found = describe(path, kindOf(info), keys[name]);
      if (found !== undefined && !isBlank(name, found.digest)) files.set(name, found);
    } else if (!listed.has(name)) {
      listed.add(name);
      folders.push(name);
    }
  };

  // Git lists the current files while we read the earlier ones.
  const top = listFolder(root, since?.rules[''], env, true);
  top.catch(() => undefined);
  let looked = 0;
  for (const name of since?.files.keys() ?? []) {
    look(name);
    if (++looked % filesPerTurn === 0) await setImmediate();
  }
  for (const folder of folders) {
    const place = folder === '' ? root : pathOf(root, folder);
    // All files of a new folder count: its ignore rules were unknown when the tree was recorded.
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
    // If a folder replaced the file, the ignore rules decide whether it counts.
    if (!files.has(name) && !isOut(name) && !isFolder(pathOf(root, name))) look(name);
    if (++looked % filesPerTurn === 0) await setImmediate();
  }
  return { files, rules: since?.rules ?? rules };
}

/** Tells whether all parent folders of a name are real folders. Each folder is checked once. */
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

/** Number of files after which the loop yields to read git's output; otherwise git would block. */
const filesPerTurn = 1000;

const emptyDigest = createHash('sha256').digest('hex');

/** Reads a tree entry; undefined if it was just removed. Throws if it cannot be read, since its content is then unknown. */
function describe(path: string | Buffer, kind: Kind, keys: readonly string[] | undefined): TreeEntry | undefined {
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
  if (kind === 'o') return emptyDigest;
  const hash = createHash('sha256');
  if (kind === 'l') return hash.update(readlinkSync(path, { encoding: 'buffer' })).digest('hex');
  // Non-blocking: it may have become a pipe since lstat.
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const info = fstatSync(file);
    if (!info.isFile()) return emptyDigest;
    if (keys !== undefined && info.size <= chunk.length) return textDigest(readFileSync(file), keys);
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) hash.update(chunk.subarray(0, size));
    return hash.digest('hex');
  } finally {
    closeSync(file);
  }
}

/** Returns the digest of a text. If keys are ignored, it covers the other keys, independent of formatting. */
function textDigest(text: Buffer, keys: readonly string[] | undefined): string {
  const hash = createHash('sha256');
  return hash.update((keys === undefined ? undefined : dropKeys(text, keys)) ?? text).digest('hex');
}

/** Returns the JSON without the ignored keys; undefined if it is not a JSON object: then every byte counts. */
function dropKeys(text: Buffer, keys: readonly string[]): string | undefined {
  try {
    const whole: unknown = JSON.parse(text.toString('utf8'));
    if (!isJsonObject(whole)) return undefined;
    return canonicalJson(Object.fromEntries(Object.entries(whole).filter(([key]) => !keys.includes(key))));
  } catch {
    return undefined; // For example JSON with comments.
  }
}
