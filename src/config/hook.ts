import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Config, Flags, Surroundings } from './load.ts';
import { database, instanceOf, localeLang, locate, oneOf, userName } from './load.ts';

/** The part of the configuration that a hook obeys. */
export type HookConfig = Pick<Config, 'lang' | 'runId' | 'db' | 'project' | 'hookFail' | 'user'>;

/** Variables by which clients tell their hooks where the project is: an agent's shell may have gone elsewhere. */
const projectFolders = ['CLAUDE_PROJECT_DIR', 'CURSOR_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'QWEN_PROJECT_DIR'];

/** As `loadConfig`, without its cost: a hook starts before every tool call. `failure` where the file cannot be used. */
export async function loadHookConfig(
  flags: Flags,
  around: Surroundings,
  cwd: string | undefined,
): Promise<{ config: HookConfig; failure: unknown }> {
  const { env } = around;
  const { place, read } = await findSettings(flags, around, cwd);
  const file: FileKeys = 'error' in read ? {} : read;
  const build = (fail: string | undefined, lang: string | undefined): HookConfig => ({
    lang: oneOf(lang ?? localeLang(env), ['en', 'ja'], 'lang'),
    runId: flags.runId ?? env['SEKISHO_RUN_ID'] ?? ownHolder(env),
    db: database(flags.db ?? env['SEKISHO_DB'], file.db, place, around.cwd),
    project: { ...place, key: env['SEKISHO_PROJECT_KEY'] ?? file.projectKey ?? place.root },
    hookFail: oneOf(fail ?? 'auto', ['auto', 'open', 'closed'], 'hook.fail'),
    user: userName(),
  });
  const failure = 'error' in read ? read.error : undefined;
  try {
    const config = build(env['SEKISHO_HOOK_FAIL'] ?? file.fail, flags.lang ?? env['SEKISHO_LANG'] ?? file.lang);
    return { config, failure };
  } catch (error) {
    return { config: build(undefined, undefined), failure: failure ?? error };
  }
}

/** Stands where a run's id does: which run it is, only the store knows. */
function ownHolder(env: Surroundings['env']): string | undefined {
  const instance = instanceOf(env);
  return instance === undefined ? undefined : `instance:${instance.agentId}/${instance.projectId}`;
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
async function findSettings(flags: Flags, around: Surroundings, cwd: string | undefined): Promise<Found> {
  const { env } = around;
  const given = flags.project ?? env['SEKISHO_PROJECT'];
  if (given !== undefined) return readPlace(locate(given, around), env);
  const named = projectFolders.map((name) => env[name]).filter((one) => one !== '');
  const starts = [...named, cwd, around.cwd].flatMap((one) => one ?? []);
  for (const start of starts) {
    const place = locate(undefined, { env, cwd: resolve(around.cwd, start) });
    const own = isProject(place) ? await readPlace(place, env) : undefined;
    if (own !== undefined && hasDatabase(own, flags, around)) return own;
    // A worktree has the committed part of `.sekisho/` at most; the run is open where the database is.
    const main = mainCheckout(place.root);
    if (main !== undefined) return readPlace(main, env);
    if (own !== undefined) return own;
  }
  return readPlace(locate(undefined, { env, cwd: resolve(around.cwd, starts[0] ?? '.') }), env);
}

async function readPlace(place: Place, env: Surroundings['env']): Promise<Found> {
  const path = join(place.home, 'config.yaml');
  return { place, read: await readFileKeys(path, env).catch((error: unknown) => ({ error })) };
}

function isProject({ root, home }: Place): boolean {
  return home === join(root, '.sekisho');
}

/** Only a file that is surely not there is missing: a URL, or a folder that we may not look into, is none. */
function hasDatabase({ place, read }: Found, flags: Flags, around: Surroundings): boolean {
  const db = database(flags.db ?? around.env['SEKISHO_DB'], 'error' in read ? undefined : read.db, place, around.cwd);
  if (db.includes('://')) return true;
  try {
    return statSync(db, { throwIfNoEntry: false }) !== undefined;
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
  readonly fail?: string | undefined;
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

async function readFileKeys(path: string, env: Surroundings['env']): Promise<FileKeys> {
  if (!existsSync(path)) return {};
  const text = readFileSync(path, 'utf8');
  const found: Record<string, string> = {};
  for (const [key, pattern] of Object.entries(simple)) {
    if (!new RegExp(`^(?:["']?|\\{.*)${key}["']?[ \\t]*:`, 'm').test(text)) continue;
    const value = pattern.exec(text)?.[1];
    if (value === undefined) return parseWhole(path, text, env);
    found[key] = value;
  }
  return { lang: found['lang'], db: found['db'], projectKey: found['projectKey'], fail: found['hook'] };
}

async function parseWhole(path: string, text: string, env: Surroundings['env']): Promise<FileKeys> {
  const { parseConfig } = await import('./file.ts');
  const { lang, db, projectKey, hook } = parseConfig(path, text, env);
  return { lang, db, projectKey, fail: hook?.fail };
}
