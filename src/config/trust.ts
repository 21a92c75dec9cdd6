import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../base/crypto.ts';
import { type FileTrust, type TrustedFile, type TrustedFiles, configurationFile } from '../kernel/trust.ts';
import { readRegular } from '../machine/regular-file.ts';
import type { DataFolder } from './data-folder.ts';
import { folderName } from './folder-name.ts';

/** The copy of a project's trusted files for hooks. The record is in the user's database; `journal verify` compares. */
function copyOf({ state }: DataFolder, key: string): string {
  return join(state, 'trust', `${folderName(key)}.json`);
}

const none: TrustedFiles = new Map();
const read = new Map<string, { readonly stamp: string; readonly files: TrustedFiles }>();

/** The trusted files in effect. Digests are computed from the texts: a run is bound to its definition by digest. */
export function readTrusted(data: DataFolder, key: string): TrustedFiles {
  const path = copyOf(data, key);
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return none;
  const stamp = `${info.ino}.${info.mtimeMs}.${info.size}`;
  const before = read.get(path);
  if (before?.stamp === stamp) return before.files;
  const files = new Map(readEntries(path).map(([file, { text }]) => [file, trustedFile(text)]));
  read.set(path, { stamp, files });
  return files;
}

/** The copy as written, with the recorded digests. */
export function readCopy(data: DataFolder, key: string): TrustedFiles {
  const path = copyOf(data, key);
  return existsSync(path) ? new Map(readEntries(path)) : none;
}

function readEntries(path: string): readonly (readonly [file: string, TrustedFile])[] {
  return Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, TrustedFile>>);
}

/** A trusted file with a lazy digest: a hook needs none, and hashing takes milliseconds. */
function trustedFile(text: string): TrustedFile {
  let known: string | undefined;
  return {
    text,
    get digest() {
      return (known ??= sha256(text));
    },
  };
}

export function writeTrusted(data: DataFolder, key: string, files: TrustedFiles): void {
  replaceFile(copyOf(data, key), JSON.stringify(Object.fromEntries(files)));
}

/** Replaces a file atomically. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${text}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

export interface ConfigurationText {
  readonly path: string;
  /** Undefined if there is none. */
  readonly text: string | undefined;
  readonly trust: FileTrust;
}

export function readConfiguration(place: {
  readonly home: string;
  readonly key: string;
  readonly data: DataFolder;
}): ConfigurationText {
  const path = join(place.home, 'config.yaml');
  const found = readRegular(path);
  // A file that cannot be read counts as removed: a server must neither wait for it nor fail over it.
  const text = 'text' in found ? found.text : undefined;
  const seen = readTrusted(place.data, place.key).get(configurationFile);
  if (seen === undefined) return { path, text, trust: text === undefined ? 'trusted' : 'never' };
  return { path, text: seen.text, trust: text === undefined ? 'removed' : text === seen.text ? 'trusted' : 'changed' };
}

/** The keys of an untrusted configuration that take effect: they start nothing, permit nothing and redirect nothing. */
const harmlessKeys = ['lang', 'toolNames', 'toolsets'];

export function keepUntrustedKeys(file: object): object {
  return Object.fromEntries(Object.entries(file).filter(([key]) => harmlessKeys.includes(key)));
}
