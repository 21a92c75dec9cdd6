import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, Flags, Surroundings } from './config.ts';
import { database, instanceOf, localeLang, locate, oneOf, userName } from './config.ts';

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
  const place = findPlace(flags, around, cwd);
  const read = await readFileKeys(join(place.home, 'config.yaml'), env).catch((error: unknown) => ({ error }));
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

function findPlace(flags: Flags, around: Surroundings, cwd: string | undefined): { root: string; home: string } {
  const given = flags.project ?? around.env['SEKISHO_PROJECT'];
  if (given !== undefined) return locate(given, around);
  const starts = [cwd, ...projectFolders.map((name) => around.env[name]), around.cwd].flatMap((one) => one ?? []);
  const places = starts.map((start) => locate(undefined, { env: around.env, cwd: resolve(around.cwd, start) }));
  return places.find(({ root, home }) => home === join(root, '.sekisho')) ?? places[0] ?? locate(undefined, around);
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
  const { parseConfig } = await import('./config-file.ts');
  const { lang, db, projectKey, hook } = parseConfig(path, text, env);
  return { lang, db, projectKey, fail: hook?.fail };
}
