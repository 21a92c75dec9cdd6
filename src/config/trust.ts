import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../base/crypto.ts';
import { type FileTrust, type TrustedFile, type TrustedFiles, configurationFile } from '../kernel/trust.ts';
import { readRegular } from '../machine/regular-file.ts';
import type { DataFolder } from './data-folder.ts';
import { folderName } from './folder-name.ts';

/**
 * The files of each project as a person saw them last. The user's database has the record, with its journal; this is a copy
 * that a hook reads before every tool call, for which opening another database would be too dear. `journal verify` compares.
 */
function copyOf({ state }: DataFolder, key: string): string {
  return join(state, 'trust', `${folderName(key)}.json`);
}

const none: TrustedFiles = new Map();
const read = new Map<string, { readonly stamp: string; readonly files: TrustedFiles }>();

/** What is obeyed. A digest is that of the text, whatever the copy says: a run asks for nothing else of its definition. */
export function readTrusted(data: DataFolder, key: string): TrustedFiles {
  const path = copyOf(data, key);
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return none;
  const stamp = `${info.ino}.${info.mtimeMs}.${info.size}`;
  const before = read.get(path);
  if (before?.stamp === stamp) return before.files;
  const files = new Map(written(path).map(([file, { text }]) => [file, trustedFile(text)]));
  read.set(path, { stamp, files });
  return files;
}

/** The copy as it is written, with the digests that were recorded. */
export function readCopy(data: DataFolder, key: string): TrustedFiles {
  const path = copyOf(data, key);
  return existsSync(path) ? new Map(written(path)) : none;
}

function written(path: string): readonly (readonly [file: string, TrustedFile])[] {
  return Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, TrustedFile>>);
}

/** A hook asks for no digest, and hashing would cost it milliseconds. */
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

/** A reader sees the file before or after, never half of it. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${text}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** The configuration that counts. */
export interface ConfigurationText {
  readonly path: string;
  /** Undefined where there is none. */
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
  // What cannot be read is as good as removed: a server that would wait for it, or fail over it, serves nobody.
  const text = 'text' in found ? found.text : undefined;
  const seen = readTrusted(place.data, place.key).get(configurationFile);
  if (seen === undefined) return { path, text, trust: text === undefined ? 'trusted' : 'never' };
  return { path, text: seen.text, trust: text === undefined ? 'removed' : text === seen.text ? 'trusted' : 'changed' };
}

/** What counts of a configuration that nobody has looked at: it starts nothing, permits nothing and leads nowhere. */
const harmless = ['lang', 'toolNames', 'toolsets'];

export function keepUntrustedKeys(file: object): object {
  return Object.fromEntries(Object.entries(file).filter(([key]) => harmless.includes(key)));
}
