import { readFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import type { Project } from '../kernel/context.ts';
import type { Environment } from '../base/environment.ts';
import { identitySettings } from '../kernel/identity.ts';
import { type Configured, type Settings, type SettingValues, readSettings, unknownKey } from '../kernel/setting.ts';
import type { Lang, Reason } from '../kernel/text/text.ts';
import { Problem, problem } from '../kernel/problem.ts';
import { databaseName } from '../base/database-name.ts';
import { isAtTerminal } from '../machine/terminal.ts';
import { repairHookKeys } from './hook-keys.ts';
import { type ProjectPlace, locate } from './locate.ts';
import { databaseFrom, hookSettings, ownSettings } from './settings.ts';
import type { FileTrust } from '../kernel/trust.ts';
import { type ConfigurationText, keepUntrustedKeys, readConfiguration, readTrusted } from './trust.ts';
import { messageSettings } from '../kernel/message-size.ts';
import { messageOf } from '../base/failure.ts';

/** The command-line flags. The environment and the file can set the same. */
export interface Flags {
  readonly db?: string;
  readonly role?: string;
  readonly toolsets?: string;
  readonly lang?: string;
  readonly project?: string;
  readonly runId?: string;
  readonly host?: string;
  readonly port?: string;
  /** One upstream without a file. */
  readonly upstream?: string;
  readonly name?: string;
  readonly skill?: string;
  readonly tools?: string;
  readonly initScript?: string;
  readonly initTool?: string;
  readonly noInit?: string;
}

export interface Config extends SettingValues<typeof ownSettings.tree> {
  readonly lang: Lang;
  readonly runId: string | undefined;
  /** A path or a URL. */
  readonly db: string;
  readonly project: Project;
  readonly place: ProjectPlace;
  /** The settings, which each module reads with its own `settings.of(…)`. */
  readonly settings: Configured;
  /** The default process of agents. */
  readonly process: string;
  readonly hookFail: 'auto' | 'open' | 'closed';
  /** This process runs in the foreground of a terminal, where a person can type. */
  readonly terminal: boolean;
  readonly user: string;
  /** The user's home folder, not taken from the environment. */
  readonly home: string;
  /** The environment of this process, which agents inherit. */
  readonly environment: Environment;
  /** The database of `--db`, which applies to every project that this process uses. */
  readonly dbByFlag: string | undefined;
  /** The configuration in effect, and the trust state of its file. */
  readonly file: { readonly path: string; readonly digest: string; readonly trust: FileTrust } | undefined;
  /** Loads the configuration again from the current files. */
  reread(): Promise<Config>;
}

export interface Surroundings {
  readonly env: Environment;
  readonly cwd: string;
  readonly terminal: boolean;
  /** Variables in which agent CLIs give the processes they start the project's folder. */
  readonly clientVariables?: readonly string[];
  /** A configuration to try in place of the project's own. */
  readonly configuration?: ConfigurationText;
}

/** Reads the surroundings of this process. Nothing else reads its environment. */
export function readSurroundings(): Surroundings {
  return {
    env: { ...process.env, ...environmentFile(process.env['SEKISHO_ENV_FILE']) },
    cwd: process.cwd(),
    terminal: isAtTerminal(),
  };
}

/** Reads the surroundings of a hook, which has no terminal. Checking its streams would load them, which takes time. */
export function readHookSurroundings(): Surroundings {
  return { env: process.env, cwd: process.cwd(), terminal: false };
}

/** Variables from a private JSON file, for secrets that must not be on a command line or in a shared file. */
function environmentFile(path: string | undefined): Environment {
  // `$…`: a client's shared file names a variable, and some clients pass the name on if it is not set.
  if (path === undefined || path === '' || path.startsWith('$')) return {};
  try {
    const given = Object.entries(JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, unknown>>);
    // The file cannot empty a variable: an agent's mark stays.
    return Object.fromEntries(
      given.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])),
    );
  } catch (error) {
    throw bad(path, messageOf(error));
  }
}

/** Loads the configuration with the settings of these modules: defaults < file < environment < flags. */
export async function loadConfig(
  flags: Flags,
  around: Surroundings = readSurroundings(),
  modules: readonly Settings[] = [],
): Promise<Config> {
  const place = locate({ ...around, project: flags.project });
  const { path, text, trust } = around.configuration ?? readConfiguration(place);
  // The YAML parser is expensive to load, and most projects have no file.
  const written = text === undefined ? {} : (await import('./file.ts')).parseConfig(path, text);
  const all = [hookSettings, ownSettings, identitySettings, messageSettings, ...modules];
  const odd = unknownKey(
    all.map((one) => one.tree),
    written,
  );
  if (odd !== undefined) throw bad(path, { en: `there is no setting "${odd}"`, ja: `設定「${odd}」はありません` });
  const settings = await readSettings(all, {
    file: trust === 'never' ? keepUntrustedKeys(written) : written,
    fileName: path,
    env: withoutChoices(around.env, place, dbIn(written)),
    flags: { ...flags },
    place: { ...place, cwd: around.cwd },
  });
  if (around.configuration === undefined) await repairHookKeys(place);
  const hookRules = hookSettings.of({ settings });
  const { lang, db, runId, process: named, hook } = hookRules;
  const own = ownSettings.of({ settings });
  return {
    ...own,
    lang: lang ?? localeLang(around.env),
    runId,
    db: db ?? place.db,
    project: projectOf(place, hookRules, trust),
    place,
    settings,
    process: named,
    hookFail: hook.fail,
    terminal: around.terminal,
    user: userName(),
    home: userHome(),
    environment: around.env,
    dbByFlag: flags.db === undefined ? undefined : db,
    file: text === undefined ? undefined : { path, digest: await digestOf(text), trust },
    reread: () => loadConfig(flags, around, modules),
  };
}

export function projectOf(
  place: ProjectPlace,
  { projectKey: given, gate }: Pick<SettingValues<typeof hookSettings.tree>, 'projectKey' | 'gate'>,
  configuration: FileTrust,
): Project {
  const { root, tree, home, state, worktrees, key, data, registered } = place;
  return {
    key: given ?? key,
    root,
    tree,
    home,
    state,
    worktrees,
    configuration,
    registered,
    worktreesAlone: gate.worktrees === 'own',
    trusted: () => readTrusted(data, key),
  };
}

/** The environment without variables that redirect a registered root. `SEKISHO_DB` may give its credentials. */
export function withoutChoices(env: Environment, place: ProjectPlace, written: string | undefined): Environment {
  if (!place.registered) return env;
  const { SEKISHO_DB: db, SEKISHO_PROJECT_KEY: _key, SEKISHO_HOOK_FAIL: _fail, ...rest } = env;
  return db !== undefined && databaseName(db) === databaseName(written ?? place.db)
    ? { ...rest, SEKISHO_DB: db }
    : rest;
}

/** The database that a person names when they register a root; undefined if they name none. */
export function namedDatabase(flags: Flags, { env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): string | undefined {
  const named = flags.db ?? env['SEKISHO_DB'] ?? '';
  return named === '' ? undefined : databaseName(databaseFrom(cwd, named));
}

function dbIn(written: object): string | undefined {
  const { db } = written as Readonly<Record<string, unknown>>;
  return typeof db === 'string' ? db : undefined;
}

/** The surroundings without the agent's identity, for a server that several clients share: none of them may act as that agent. */
export function withoutOwnAgent(around: Surroundings): Surroundings {
  const { AGENT_ID: _agent, PROJECT_ID: _project, AGENT_PASSKEY: _passkey, ...env } = around.env;
  return { ...around, env };
}

/** The language for errors before the configuration is known. */
export function preferredLang(args: readonly string[], env: Environment): 'en' | 'ja' {
  const given = /--lang[= ](en|ja)\b/.exec(args.join(' '))?.[1] ?? env['SEKISHO_LANG'];
  return given === 'en' || given === 'ja' ? given : localeLang(env);
}

export function localeLang(env: Environment): 'en' | 'ja' {
  const locale = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find((one) => one !== undefined && one !== '');
  return locale?.toLowerCase().startsWith('ja') === true ? 'ja' : 'en';
}

export function userHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return homedir(); // A container's user can have no passwd entry.
  }
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown'); // A container's user can have no name.
  }
}

function bad(file: string, reason: Reason): Problem {
  return problem.BAD_CONFIGURATION({ file, reason });
}

async function digestOf(text: string): Promise<string> {
  // A hook needs no digest, and loading this takes milliseconds.
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
