import { join } from 'node:path';
import { type Config, type Flags, type Surroundings, localeLang, projectOf, userName, withoutChoices } from './load.ts';
import { type AgentInstance, identitySettings, instanceOf } from '../kernel/identity.ts';
import { type JsonObject, textOf } from '../base/json-object.ts';
import { problem } from '../kernel/problem.ts';
import { readSettings } from '../kernel/setting.ts';
import type { Words } from '../kernel/text/text.ts';
import { readHookKeys } from './hook-keys.ts';
import { type ProjectPlace, locate } from './locate.ts';
import { hookSettings } from './settings.ts';

/** The part of the configuration that a hook obeys. */
export interface HookConfig extends Pick<
  Config,
  'lang' | 'db' | 'project' | 'place' | 'process' | 'hookFail' | 'user'
> {
  readonly instance: AgentInstance | undefined;
}

export interface LoadedHookConfig {
  readonly config: HookConfig;
  /** The error of a configuration that cannot be used; undefined if it can. */
  readonly failure: unknown;
  /** False if the database or the project key can differ from `config`: there can be a current run in another store. */
  readonly isStoreKnown: boolean;
}

const uncompiled: Words = {
  en: 'it has not been prepared for hooks. A person must run sekisho trust',
  ja: 'フック用に準備されていません。人が sekisho trust を実行してください',
};

/** Like `loadConfig`, but from the compiled keys of the trusted configuration: a hook starts before every tool call. */
export async function loadHookConfig(
  flags: Flags,
  around: Surroundings,
  cwd: string | undefined,
  place: ProjectPlace = locate({ ...around, project: flags.project, hookFolder: cwd }),
): Promise<LoadedHookConfig> {
  const keys = readHookKeys(place);
  const isCompiled = keys !== undefined;
  const unusable = isCompiled ? undefined : problem.BAD_CONFIGURATION({ file: fileOf(place), reason: uncompiled });
  try {
    const config = await readHookConfig(flags, around, place, keys ?? {});
    return { config, failure: unusable, isStoreKnown: isCompiled };
  } catch (error) {
    const { lang: _flag, ...rest } = flags;
    const { SEKISHO_HOOK_FAIL: _fail, SEKISHO_LANG: _lang, ...env } = around.env;
    const { db, projectKey } = keys ?? {};
    const fallback = (file: JsonObject) => readHookConfig(rest, { ...around, env }, place, file);
    // With an invalid language the store is still known; with a variable in the file that is not set it is not.
    const config = await fallback({ db, projectKey }).catch(() => undefined);
    const isStoreKnown = isCompiled && config !== undefined;
    return { config: config ?? (await fallback({})), failure: unusable ?? error, isStoreKnown };
  }
}

function fileOf({ home }: ProjectPlace): string {
  return join(home, 'config.yaml');
}

async function readHookConfig(
  flags: Flags,
  around: Surroundings,
  place: ProjectPlace,
  file: JsonObject,
): Promise<HookConfig> {
  const { cwd } = around;
  const env = withoutChoices(around.env, place, textOf(file['db']));
  const settings = await readSettings([hookSettings, identitySettings], {
    file,
    fileName: fileOf(place),
    env,
    flags: { ...flags },
    place: { ...place, cwd },
  });
  const rules = hookSettings.of({ settings });
  const { lang, db, process, hook } = rules;
  return {
    lang: lang ?? localeLang(env),
    instance: instanceOf({ settings }),
    db: db ?? place.db,
    // A hook obeys only the trusted version, so it reports nothing about other versions of the file.
    project: projectOf(place, rules, 'trusted'),
    place,
    process,
    hookFail: hook.fail,
    user: userName(),
  };
}
