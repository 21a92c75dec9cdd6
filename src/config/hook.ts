import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Config, Flags, Surroundings } from './load.ts';
import { identitySettings, instanceOf } from '../kernel/identity.ts';
import { readSettings } from '../kernel/setting.ts';
import { localeLang, locate, userName } from './load.ts';
import { hookSettings } from './settings.ts';

/** The part of the configuration that a hook obeys. */
export type HookConfig = Pick<Config, 'lang' | 'runId' | 'db' | 'project' | 'hookFail' | 'user'>;

/**
 * As `loadConfig`, without its cost: a hook starts before every tool call. `failure` where the file cannot be used.
 * `projectFolders`: the variables in which clients tell where the project is.
 */
export async function loadHookConfig(
  flags: Flags,
  around: Surroundings,
  cwd: string | undefined,
  projectFolders: readonly string[],
): Promise<{ config: HookConfig; failure: unknown }> {
  const { place, read } = await findSettings(flags, around, cwd, projectFolders);
  const failure = 'error' in read ? read.error : undefined;
  const file: FileKeys = 'error' in read ? {} : read;
  try {
    return { config: await hookConfig(flags, around, place, file), failure };
  } catch (error) {
    const { SEKISHO_HOOK_FAIL: _fail, SEKISHO_LANG: _lang, ...env } = around.env;
    const { lang: _flag, ...rest } = flags;
    return {
      config: await hookConfig(rest, { ...around, env }, place, { db: file.db }),
      failure: failure ?? error,
    };
  }
}

async function hookConfig(flags: Flags, around: Surroundings, place: Place, file: object): Promise<HookConfig> {
  const { env, cwd } = around;
  const settings = await readSettings([hookSettings, identitySettings], {
    file,
    fileName: join(place.home, 'config.yaml'),
    env,
    flags: { ...flags },
    place: { ...place, cwd },
  });
  const { lang, db, projectKey, runId, hook } = hookSettings.of({ settings });
  const instance = instanceOf({ settings });
  return {
    lang: lang ?? localeLang(env),
    // Stands where a run's id does: which run an instance holds, only the store knows.
    runId: runId ?? (instance === undefined ? undefined : `instance:${instance.agentId}/${instance.projectId}`),
    db: db ?? join(place.home, 'sekisho.db'),
    project: { ...place, key: projectKey ?? place.root },
    hookFail: hook.fail,
    user: userName(),
  };
}

interface Place {
  readonly root: string;
  readonly home: string;
}

interface Found {
  readonly place: Place;
  readonly read: FileKeys | { readonly error: unknown };
}

/** The project that the client was opened in comes before the one that its shell went to. */
async function findSettings(
  flags: Flags,
  around: Surroundings,
  cwd: string | undefined,
  projectFolders: readonly string[],
): Promise<Found> {
  const { env } = around;
  const given = flags.project ?? env['SEKISHO_PROJECT'];
  if (given !== undefined) return readPlace(locate(given, around));
  const named = projectFolders.map((name) => env[name]).filter((one) => one !== '');
  const starts = [...named, cwd, around.cwd].flatMap((one) => one ?? []);
  for (const start of starts) {
    const place = locate(undefined, { env, cwd: resolve(around.cwd, start) });
    const own = isProject(place) ? await readPlace(place) : undefined;
    if (own !== undefined && (await hasDatabase(own, flags, around))) return own;
    // A worktree has the committed part of `.sekisho/` at most; the run is open where the database is.
    const main = mainCheckout(place.root);
    if (main !== undefined) return readPlace(main);
    if (own !== undefined) return own;
  }
  return readPlace(locate(undefined, { env, cwd: resolve(around.cwd, starts[0] ?? '.') }));
}

async function readPlace(place: Place): Promise<Found> {
  const path = join(place.home, 'config.yaml');
  return { place, read: await readFileKeys(path).catch((error: unknown) => ({ error })) };
}

function isProject({ root, home }: Place): boolean {
  return home === join(root, '.sekisho');
}

/** Only a file that is surely not there is missing: a URL, or a folder that we may not look into, is none. */
async function hasDatabase({ place, read }: Found, flags: Flags, around: Surroundings): Promise<boolean> {
  try {
    const { db } = await hookConfig(flags, around, place, 'error' in read ? {} : { db: read.db });
    return db.includes('://') || statSync(db, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** The same folder in the checkout that this git worktree belongs to, where that one is a project. */
function mainCheckout(root: string): Place | undefined {
  for (let top = root; ; top = dirname(top)) {
    const mark = statSync(join(top, '.git'), { throwIfNoEntry: false });
    if (mark?.isFile() === true) {
      const main = checkoutBehind(top);
      const folder = main === undefined ? undefined : join(main, relative(top, root));
      return [folder, main]
        .flatMap((one) => one ?? [])
        .map(placeIn)
        .find((one) => existsSync(one.home));
    }
    if (mark !== undefined || top === dirname(top)) return undefined;
  }
}

function placeIn(root: string): Place {
  return { root, home: join(root, '.sekisho') };
}

/** A submodule's `.git` is a file too, but its folder names no common one. */
function checkoutBehind(worktree: string): string | undefined {
  try {
    const folder = /^gitdir:\s*(.+?)\s*$/m.exec(readFileSync(join(worktree, '.git'), 'utf8'))?.[1];
    if (folder === undefined) return undefined;
    const own = resolve(worktree, folder);
    const common = resolve(own, readFileSync(join(own, 'commondir'), 'utf8').trim());
    return basename(common) === '.git' ? dirname(common) : undefined;
  } catch {
    return undefined; // Not a worktree that git would know either.
  }
}

interface FileKeys {
  readonly lang?: string | undefined;
  readonly db?: string | undefined;
  readonly projectKey?: string | undefined;
  readonly hook?: { readonly fail: string } | undefined;
}

const end = String.raw`[ \t]*(?:[ \t]#.*)?$`;
const word = String.raw`([A-Za-z0-9_./][^\s#'"$]*)`;
/** How people write these keys. Anything else is left to the real parser, which takes as long as the rest of the hook. */
const simple: Readonly<Record<'lang' | 'db' | 'projectKey' | 'hook', RegExp>> = {
  lang: new RegExp(`^lang:[ \\t]+${word}${end}`, 'm'),
  db: new RegExp(`^db:[ \\t]+${word}${end}`, 'm'),
  projectKey: new RegExp(`^projectKey:[ \\t]+${word}${end}`, 'm'),
  hook: new RegExp(`^hook:(?:[ \\t]+\\{[ \\t]*|[ \\t]*\\r?\\n[ \\t]+)fail:[ \\t]+(\\w+)(?:[ \\t]*\\})?${end}`, 'm'),
};

async function readFileKeys(path: string): Promise<FileKeys> {
  if (!existsSync(path)) return {};
  const text = readFileSync(path, 'utf8');
  const found: Record<string, string> = {};
  for (const [key, pattern] of Object.entries(simple)) {
    if (!new RegExp(`^(?:["']?|\\{.*)${key}["']?[ \\t]*:`, 'm').test(text)) continue;
    const value = pattern.exec(text)?.[1];
    if (value === undefined) return (await import('./file.ts')).parseConfig(path, text);
    found[key] = value;
  }
  const { hook: fail, ...keys } = found;
  return { ...keys, ...(fail !== undefined && { hook: { fail } }) };
}
