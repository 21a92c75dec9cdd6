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
  /** Why the configuration cannot be used as it stands. */
  readonly failure: unknown;
  /** False where the database and the key of its rows may be others than `config` says: a run may be current there. */
  readonly isStoreKnown: boolean;
}

const uncompiled: Words = {
  en: 'it has not been prepared for hooks. A person must run sekisho trust',
  ja: 'フック用に準備されていません。人が sekisho trust を実行してください',
};

/** As `loadConfig`, from the compiled keys of the trusted configuration: a hook starts before every tool call. */
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
    // A wrong word for the language leaves the store known; a variable that the file names and nobody has set does not.
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
    // A hook obeys what was trusted and nothing else, so it has nothing to say of other versions of the file.
    project: projectOf(place, rules, 'trusted'),
    place,
    process,
    hookFail: hook.fail,
    user: userName(),
  };
}
