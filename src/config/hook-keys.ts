import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../base/json-object.ts';
import { type TrustedFile, configurationFile } from '../kernel/trust.ts';
import type { DataFolder } from './data-folder.ts';
import { folderName } from './folder-name.ts';
import { hookSettings } from './settings.ts';
import { readCopy, replaceFile } from './trust.ts';

/**
 * The keys that hooks need of a trusted configuration, as JSON beside its trusted copy and bound to it by digest. A hook
 * has no time to load a YAML parser, and a shorter one of its own would disagree with the servers sooner or later.
 */
interface HookKeys {
  readonly digest: string;
  /** The values of the file, null for a key that is not set. A key that the compiling version did not know is missing. */
  readonly keys: JsonObject;
}

interface ProjectKey {
  readonly key: string;
  readonly data: DataFolder;
}

const names = Object.entries(hookSettings.tree).flatMap(([name, one]) => ('inFile' in one && !one.inFile ? [] : name));

function pathOf({ data, key }: ProjectKey): string {
  return join(data.state, 'trust', `${folderName(key)}.keys`);
}

/** The keys that a hook obeys: none where no configuration was trusted, undefined where they are missing or outdated. */
export function readHookKeys(place: ProjectKey): JsonObject | undefined {
  const trusted = readCopy(place.data, place.key).get(configurationFile);
  return trusted === undefined ? {} : readCurrent(place, trusted)?.keys;
}

function readCurrent(place: ProjectKey, { digest }: TrustedFile): HookKeys | undefined {
  try {
    const found = JSON.parse(readFileSync(pathOf(place), 'utf8')) as HookKeys;
    return found.digest === digest && names.every((name) => Object.hasOwn(found.keys, name)) ? found : undefined;
  } catch {
    return undefined; // Missing or torn: the repair is the same.
  }
}

async function compileHookKeys({ digest, text }: TrustedFile): Promise<HookKeys> {
  const { parseConfig } = await import('./file.ts');
  return { digest, keys: pickKeys(parseConfig(configurationFile, text) as JsonObject) };
}

function pickKeys(from: JsonObject): JsonObject {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}

/** Compiles the trusted copy. The result depends on nothing else, so any process can do it. */
export async function writeHookKeys(place: ProjectKey): Promise<void> {
  const trusted = readCopy(place.data, place.key).get(configurationFile);
  if (trusted !== undefined) replaceFile(pathOf(place), JSON.stringify(await compileHookKeys(trusted)));
}

/** Compiles the keys again if they are missing or outdated, as after an upgrade. */
export async function repairHookKeys(place: ProjectKey): Promise<void> {
  try {
    if (readHookKeys(place) === undefined) await writeHookKeys(place);
  } catch {
    // Hooks stay closed and the rings say so; the command itself does not need the keys.
  }
}

/** Whether hooks obey keys that are not those of this trusted configuration. They do not obey missing or outdated ones. */
export async function areKeysForged(place: ProjectKey, trusted: TrustedFile | undefined): Promise<boolean> {
  const found = trusted && readCurrent(place, trusted);
  if (trusted === undefined || found === undefined) return false;
  // A configuration that cannot be compiled has no keys.
  const compiled = await compileHookKeys(trusted).catch(() => undefined);
  return JSON.stringify(pickKeys(found.keys)) !== JSON.stringify(compiled?.keys);
}
