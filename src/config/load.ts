import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { FileConfig } from './file.ts';
import { phaseSettings } from './phase.ts';
import { runnerSettings, workSettings } from './work.ts';
import type { Project, Settings } from '../kernel/context.ts';
import { Problem } from '../kernel/problem.ts';
import type { Toolset } from '../kernel/toolset.ts';
import { isToolset, toolsets } from '../kernel/toolset.ts';
import { packaged } from './package.ts';
import { problem } from '../kernel/problem.ts';

/** What the command line can say; the environment and the file say the same in their own words. */
export interface Flags {
  readonly db?: string;
  readonly role?: string;
  readonly toolsets?: string;
  readonly lang?: string;
  readonly project?: string;
  readonly runId?: string;
  readonly host?: string;
  readonly port?: string;
}

export interface Config {
  readonly lang: 'en' | 'ja';
  readonly toolNames: 'dotted' | 'underscore' | 'auto';
  readonly toolsets: readonly Toolset[];
  /** The role that was asked for; undefined: decided by the connection. */
  readonly role: string | undefined;
  readonly runId: string | undefined;
  /** The token that this process was started with (`SEKISHO_TOKEN`). */
  readonly token: string | undefined;
  /** A path or a URL. */
  readonly db: string;
  readonly project: Project;
  readonly settings: Settings;
  /** `projects`: other folders whose own configuration the daemon may follow when a client names them. */
  readonly http: { readonly host: string; readonly port: number; readonly projects: readonly string[] };
  readonly hookFail: 'auto' | 'open' | 'closed';
  readonly logLevel: number;
  /** The variable by which an agent CLI marked this environment. */
  readonly agentMarker: string | undefined;
  /** A person sits at a terminal. */
  readonly interactive: boolean;
  readonly user: string;
  /** What this process was started with; agents inherit it. */
  readonly environment: Environment;
  /** How this product is started: Node and `bin/sekisho`. */
  readonly program: readonly [string, string];
  readonly file: { readonly path: string; readonly digest: string } | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface Surroundings {
  readonly env: Environment;
  readonly cwd: string;
  readonly interactive: boolean;
  /** Read no configuration file: nobody vouches for it. */
  readonly plain?: boolean;
}

/** The process as it is. The only place that reads its environment. */
export function surroundings(): Surroundings {
  return {
    env: { ...process.env, ...environmentFile(process.env['SEKISHO_ENV_FILE']) },
    cwd: process.cwd(),
    interactive: process.stdin.isTTY && process.stdout.isTTY,
  };
}

/** The same for a hook, which has no terminal and no time: asking for the streams would load them. */
export function bareSurroundings(): Surroundings {
  return { env: process.env, cwd: process.cwd(), interactive: false };
}

/** Variables that must stand on no command line and in no shared file: a JSON file that only its owner can read. */
function environmentFile(path: string | undefined): Environment {
  // `$…`: a client's shared file names the variable, and where nobody set it some pass on the name.
  if (path === undefined || path === '' || path.startsWith('$')) return {};
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Environment;
  } catch (error) {
    throw bad(path, error instanceof Error ? error.message : String(error));
  }
}

/** Defaults < file < environment < flags. */
export async function loadConfig(flags: Flags, around: Surroundings = surroundings()): Promise<Config> {
  const { env } = around;
  const place = locate(flags.project ?? env['SEKISHO_PROJECT'], around);
  const path = join(place.home, 'config.yaml');
  const text = around.plain !== true && existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  // yaml and zod are dear to load; most projects have no file.
  const file: FileConfig = text === undefined ? {} : (await import('./file.ts')).parseConfig(path, text, env);
  const pick = (flag: string | undefined, name: string, fromFile: string | undefined) => flag ?? env[name] ?? fromFile;
  const processes = env['SEKISHO_PROCESSES']?.split(':').filter((one) => one !== '') ??
    file.processes ?? [join(place.home, 'processes')];
  const lang = oneOf(pick(flags.lang, 'SEKISHO_LANG', file.lang) ?? localeLang(env), ['en', 'ja'], 'lang');
  return {
    lang,
    toolNames: oneOf(
      pick(undefined, 'SEKISHO_TOOL_NAMES', file.toolNames) ?? 'auto',
      ['dotted', 'underscore', 'auto'],
      'toolNames',
    ),
    toolsets: parseToolsets(pick(flags.toolsets, 'SEKISHO_TOOLSETS', file.toolsets?.join(','))),
    role: flags.role ?? env['SEKISHO_ROLE'],
    runId: flags.runId ?? env['SEKISHO_RUN_ID'],
    token: env['SEKISHO_TOKEN'],
    db: database(flags.db ?? env['SEKISHO_DB'], file.db, place, around.cwd),
    project: { ...place, key: env['SEKISHO_PROJECT_KEY'] ?? file.projectKey ?? place.root },
    settings: {
      identity: oneOf(
        pick(undefined, 'SEKISHO_IDENTITY', file.identity) ?? 'optional',
        ['optional', 'required'],
        'identity',
      ),
      instance: instanceOf(env),
      work: workSettings(file, env),
      runner: runnerSettings(file, env, place.root),
      processes: processes.map((one) => resolve(place.root, one)),
      shippedProcesses: packaged('processes'),
      upstreams: file.upstreams ?? [],
      upstreamEnv: inherited(env),
      phases: phaseSettings(file.phases, env, place, lang),
      fleet: {
        maxConcurrent: count(
          pick(undefined, 'SEKISHO_FLEET_MAX_CONCURRENT', file.fleet?.maxConcurrent?.toString()) ?? '10',
          'fleet.maxConcurrent',
        ),
        defaultTimeoutMs: count(
          pick(undefined, 'SEKISHO_FLEET_DEFAULT_TIMEOUT_MS', file.fleet?.defaultTimeoutMs?.toString()) ?? '1800000',
          'fleet.defaultTimeoutMs',
        ),
        isolation: oneOf(
          pick(undefined, 'SEKISHO_FLEET_ISOLATION', file.fleet?.isolation) ?? 'none',
          ['none', 'worktree'],
          'fleet.isolation',
        ),
        worktrees: oneOf(
          pick(undefined, 'SEKISHO_FLEET_WORKTREES', file.fleet?.worktrees) ?? 'keep',
          ['keep', 'commit'],
          'fleet.worktrees',
        ),
        healthPrompts: file.fleet?.healthPrompts ?? false,
        roles: file.roles ?? [],
        path: env['PATH'] ?? '',
      },
    },
    http: {
      host: pick(flags.host, 'SEKISHO_HTTP_HOST', file.http?.host) ?? '127.0.0.1',
      port: port(pick(flags.port, 'SEKISHO_HTTP_PORT', file.http?.port?.toString()) ?? '9696'),
      projects: (file.http?.projects ?? []).map((one) => resolve(place.root, one)),
    },
    hookFail: oneOf(
      pick(undefined, 'SEKISHO_HOOK_FAIL', file.hook?.fail) ?? 'auto',
      ['auto', 'open', 'closed'],
      'hook.fail',
    ),
    logLevel: logLevel(env['LOG_LEVEL']),
    agentMarker: agentMarker(env),
    interactive: around.interactive,
    user: userName(),
    environment: env,
    program: [process.execPath, packaged('bin', 'sekisho')],
    file: text === undefined ? undefined : { path, digest: await digestOf(text) },
  };
}

/** The folder with `.sekisho/` upwards from here, else this folder with the user's data folder as home. */
export function locate(
  given: string | undefined,
  around: Pick<Surroundings, 'env' | 'cwd'>,
): { root: string; home: string } {
  const start = resolve(around.cwd, given ?? '.');
  for (let folder = start; ; folder = dirname(folder)) {
    const home = join(folder, '.sekisho');
    if (isFolder(home)) return { root: folder, home };
    if (given !== undefined || folder === dirname(folder)) break;
  }
  return { root: start, home: dataFolder(around.env) };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function dataFolder(env: Environment): string {
  if (env['XDG_DATA_HOME'] !== undefined && env['XDG_DATA_HOME'] !== '') return join(env['XDG_DATA_HOME'], 'sekisho');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'sekisho');
  if (process.platform === 'win32') return join(env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'sekisho');
  return join(homedir(), '.local', 'share', 'sekisho');
}

/** What a person types is relative to where they are, what a file says to the project. */
export function database(
  given: string | undefined,
  inFile: string | undefined,
  place: { root: string; home: string },
  cwd: string,
): string {
  const named = given ?? inFile;
  if (named === undefined) return join(place.home, 'sekisho.db');
  return /^[a-z]+:\/\//.test(named) ? named : resolve(given === undefined ? place.root : cwd, named);
}

/** What a Runner told the instance that it started. */
export function instanceOf(env: Environment): { agentId: string; projectId: string } | undefined {
  const { AGENT_ID: agentId, PROJECT_ID: projectId } = env;
  return agentId === undefined || agentId === '' || projectId === undefined || projectId === ''
    ? undefined
    : { agentId, projectId };
}

/** For a server that many clients share: whose environment it was started in must help none of them to be that agent. */
export function withoutOwnAgent(config: Config): Config {
  const { settings } = config;
  return {
    ...config,
    settings: { ...settings, instance: undefined, work: { ...settings.work, ownPasskey: undefined } },
  };
}

/** Variables by which agent CLIs and our own hosts mark what they start. */
const markers = [
  'SEKISHO_AGENT_ID',
  'CLAUDECODE',
  'CLAUDE_CODE_SESSION_ID',
  'GEMINI_CLI',
  'QWEN_CODE',
  'OPENCODE',
  'COPILOT_AGENT_SESSION_ID',
  'AMP_THREAD_ID',
];
const markerPrefixes = ['CODEX_', 'CURSOR_'];
/** A person may have these in a shell profile; they say nothing about who started us. */
const unmarked = ['CODEX_HOME'];

function agentMarker(env: Environment): string | undefined {
  const set = (name: string) => env[name] !== undefined && env[name] !== '';
  return (
    markers.find(set) ??
    Object.keys(env).find(
      (name) => set(name) && !unmarked.includes(name) && markerPrefixes.some((prefix) => name.startsWith(prefix)),
    )
  );
}

/** Our own variables are ours: a token in them would make an upstream's process somebody here. The mark stays: what an agent's server starts is the agent's, and ends with it. */
function isOurs(name: string): boolean {
  return (name.startsWith('SEKISHO_') && name !== 'SEKISHO_AGENT_ID') || name === 'AGENT_PASSKEY';
}

function inherited(env: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || isOurs(name) ? [] : [[name, value]])),
  );
}

function parseToolsets(given: string | undefined): readonly Toolset[] {
  if (given === undefined || given === 'all') return toolsets;
  const words = given.split(',').map((one) => one.trim());
  const unknown = words.filter((one) => !isToolset(one));
  if (unknown.length > 0)
    throw bad('toolsets', `unknown toolset ${unknown.join(', ')}; there are ${toolsets.join(', ')}`);
  return words.filter(isToolset);
}

export function oneOf<T extends string>(value: string, allowed: readonly T[], name: string): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw bad(name, `"${value}" is none of ${allowed.join(', ')}`);
  return found;
}

function count(value: string, name: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw bad(name, `"${value}" is no positive whole number`);
  return number;
}

function port(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw bad('http.port', `"${value}" is no port`);
  return number;
}

function logLevel(value: string | undefined): number {
  if (value === undefined || value === '') return 2;
  const named = ['error', 'warn', 'info', 'debug'].indexOf(value.toLowerCase());
  return named >= 0 ? named : /^[0-3]$/.test(value) ? Number(value) : 2;
}

/** The language for a failure that comes before the configuration is known. */
export function preferredLang(args: readonly string[]): 'en' | 'ja' {
  const { env } = surroundings();
  const given = /--lang[= ](en|ja)\b/.exec(args.join(' '))?.[1] ?? env['SEKISHO_LANG'];
  return given === 'en' || given === 'ja' ? given : localeLang(env);
}

export function localeLang(env: Environment): 'en' | 'ja' {
  const locale = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find((one) => one !== undefined && one !== '');
  return locale?.toLowerCase().startsWith('ja') === true ? 'ja' : 'en';
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown'); // A container's user may have no name.
  }
}

function bad(file: string, reason: string): Problem {
  return problem.BAD_CONFIGURATION({ file, reason });
}

async function digestOf(text: string): Promise<string> {
  // A hook reads no digest, and loading this costs it milliseconds.
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(text).digest('hex');
}
