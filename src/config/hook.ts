import { join } from 'node:path';
import type { Config, Flags, Surroundings } from './load.ts';
import { identitySettings, instanceOf } from '../kernel/identity.ts';
import { readSettings } from '../kernel/setting.ts';
import { localeLang, projectOf, userName } from './load.ts';
import type { Place } from './locate.ts';
import { locate } from './locate.ts';
import type { FileTrust } from '../kernel/trust.ts';
import { hookSettings } from './settings.ts';
import type { ConfigurationText } from './trust.ts';
import { onlyHarmless, readConfiguration } from './trust.ts';

/** The part of the configuration that a hook obeys. */
export type HookConfig = Pick<Config, 'lang' | 'runId' | 'db' | 'project' | 'place' | 'process' | 'hookFail' | 'user'>;

/** As `loadConfig`, without its cost: a hook starts before every tool call. `failure` where the file cannot be used. */
export async function loadHookConfig(
  flags: Flags,
  around: Surroundings,
  cwd: string | undefined,
): Promise<{ config: HookConfig; failure: unknown }> {
  const place = locate({ ...around, project: flags.project, hookFolder: cwd });
  const configuration = readConfiguration(place);
  const read = await readKeys(configuration).catch((error: unknown) => ({ error }));
  const { trust } = configuration;
  const failure = 'error' in read ? read.error : undefined;
  const file: FileKeys = 'error' in read ? {} : read;
  try {
    return { config: await hookConfig(flags, around, place, { file, trust }), failure };
  } catch (error) {
    const { SEKISHO_HOOK_FAIL: _fail, SEKISHO_LANG: _lang, ...env } = around.env;
    const { lang: _flag, ...rest } = flags;
    return {
      config: await hookConfig(rest, { ...around, env }, place, { file: { db: file.db }, trust }),
      failure: failure ?? error,
    };
  }
}

async function hookConfig(
  flags: Flags,
  around: Surroundings,
  place: Place,
  { file, trust }: { readonly file: object; readonly trust: FileTrust },
): Promise<HookConfig> {
  const { env, cwd } = around;
  const settings = await readSettings([hookSettings, identitySettings], {
    file,
    fileName: join(place.home, 'config.yaml'),
    env,
    flags: { ...flags },
    place: { ...place, cwd },
  });
  const { lang, db, projectKey, runId, process, hook } = hookSettings.of({ settings });
  const instance = instanceOf({ settings });
  return {
    lang: lang ?? localeLang(env),
    // Stands where a run's id does: which run an instance holds, only the store knows.
    runId: runId ?? (instance === undefined ? undefined : `instance:${instance.agentId}/${instance.projectId}`),
    db: db ?? place.db,
    project: projectOf(place, projectKey, trust),
    place,
    process,
    hookFail: hook.fail,
    user: userName(),
  };
}

interface FileKeys {
  readonly lang?: string | undefined;
  readonly db?: string | undefined;
  readonly projectKey?: string | undefined;
  readonly process?: string | undefined;
  readonly hook?: { readonly fail: string } | undefined;
}

const end = String.raw`[ \t]*(?:[ \t]#.*)?$`;
const word = String.raw`([A-Za-z0-9_./][^\s#'"$]*)`;
/** How people write these keys. Anything else is left to the real parser, which takes as long as the rest of the hook. */
const simple: Readonly<Record<'lang' | 'db' | 'projectKey' | 'process' | 'hook', RegExp>> = {
  lang: new RegExp(`^lang:[ \\t]+${word}${end}`, 'm'),
  db: new RegExp(`^db:[ \\t]+${word}${end}`, 'm'),
  projectKey: new RegExp(`^projectKey:[ \\t]+${word}${end}`, 'm'),
  process: new RegExp(`^process:[ \\t]+${word}${end}`, 'm'),
  hook: new RegExp(`^hook:(?:[ \\t]+\\{[ \\t]*|[ \\t]*\\r?\\n[ \\t]+)fail:[ \\t]+(\\w+)(?:[ \\t]*\\})?${end}`, 'm'),
};

async function readKeys(configuration: ConfigurationText): Promise<FileKeys> {
  const keys = await writtenKeys(configuration);
  return configuration.trust === 'never' ? onlyHarmless(keys) : keys;
}

async function writtenKeys({ path, text }: ConfigurationText): Promise<FileKeys> {
  if (text === undefined) return {};
  const parse = async () => (await import('./file.ts')).parseConfig(path, text);
  if (!isPlainMap(text)) return parse();
  const found: Record<string, string> = {};
  for (const [key, pattern] of Object.entries(simple)) {
    if (!new RegExp(`^${key}[ \\t]*:`, 'm').test(text)) continue;
    const value = pattern.exec(text)?.[1];
    if (value === undefined) return parse();
    found[key] = value;
  }
  const { hook: fail, ...keys } = found;
  return { ...keys, ...(fail !== undefined && { hook: { fail } }) };
}

const plainKey = /^[A-Za-z]\w*[ \t]*:(?:[ \t]|$)/;
const continued = /^(?:[ \t]|-[ \t]|[\]}])/;

/** Every key begins its line, without quotes. Of JSON, an indented map or a text with a mark before it no line says whether a key is there. */
function isPlainMap(text: string): boolean {
  const [first, ...rest] = text.split(/\r\n|[\r\n]/).filter((line) => !/^[ \t]*(?:#|$)/.test(line));
  if (first === undefined) return true;
  return plainKey.test(first) && rest.every((line) => plainKey.test(line) || continued.test(line));
}
