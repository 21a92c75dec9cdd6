import { packagePath } from '../../base/package.ts';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from '../../kernel/store/row.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { AgentCli, Invocation, Launch as AgentLaunch, OwnHome } from '../agent-cli.ts';
import { findProgram } from '../../machine/find-program.ts';
import { agents, findAgentCli, programNames } from '../agents.ts';
import { type Ticket, agentMarker, withoutMarks } from './spawn-host.ts';
import type { SandboxSession } from './sandbox-session.ts';
import type { ClaimedAgent } from './claim.ts';
import type { Environment } from '../../base/environment.ts';

export interface PreparedAgent {
  readonly cli: AgentCli;
  readonly program: string;
  readonly invocation: Invocation;
  readonly env: Environment;
  readonly folder: string;
  /** Files that we wrote into the working directory. */
  readonly placed: readonly string[];
}

export function agentFolder(state: string, agentId: string): string {
  return join(state, 'agents', agentId);
}

/** Creates an agent's folder, readable by its owner only. */
export function makeFolder(state: string, agentId: string): string {
  const folder = agentFolder(state, agentId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Variables that tell our hooks and servers which agent they belong to. */
function ownVariables({ id, spec }: ClaimedAgent, ticket: Ticket, tree: string): Readonly<Record<string, string>> {
  return {
    [agentMarker]: id,
    SEKISHO_DB: ticket.db,
    SEKISHO_PROJECT: tree,
    SEKISHO_PROJECT_KEY: spec.place.key,
    SEKISHO_LANG: ticket.lang,
    ...(spec.runId !== undefined && { SEKISHO_RUN_ID: spec.runId }),
  };
}

/** Environment of the agent's own server. */
export function serverVariables(
  claimed: ClaimedAgent,
  ticket: Ticket,
  tree: string,
  surroundings: Environment,
): Readonly<Record<string, string>> {
  return {
    ...ownVariables(claimed, ticket, tree),
    ...ticket.secrets,
    SEKISHO_TOKEN: claimed.token,
    SEKISHO_TOOLSETS: claimed.spec.toolsets.join(','),
    // Some clients start servers with almost no variables.
    ...pick(surroundings, ['PATH', 'HOME', 'LANG', 'TMPDIR', 'XDG_DATA_HOME', 'SEKISHO_DATA']),
  };
}

export interface AgentPlace {
  readonly cwd: string;
  readonly tree: string;
  readonly mergeSettings: MergeSettings;
  /** The agent's sandbox, if it has one: the agent's files are inside, its server is outside. */
  readonly box: SandboxSession | undefined;
}

/** Writes the files the program needs into its own folder. Only their owner can read those with secrets. */
export function prepare(
  claimed: ClaimedAgent,
  ticket: Ticket,
  { cwd: workingDirectory, tree, box, mergeSettings }: AgentPlace,
  instructions: string,
  surroundings: Environment,
): PreparedAgent {
  const { id, row, spec } = claimed;
  const kept = agentFolder(spec.place.state, id);
  const written = box?.folder ?? kept;
  const folder = box?.session.folder ?? kept;
  const cli = findAgentCli(text(row, 'cli'));
  const model = text(row, 'model');
  const server =
    box === undefined
      ? { ...ownServer(), env: serverVariables(claimed, ticket, tree, surroundings) }
      : { ...box.session.mcp, env: {} };
  const envFile = join(folder, 'env.json');
  const invocation = cli.invoke({
    model: model === 'default' ? undefined : model,
    permissions: spec.permissions,
    prompt: text(row, 'prompt') + instructions,
    systemPrompt: spec.systemPrompt,
    workingDirectory,
    folder,
    command: spec.command,
    server,
    envFile,
    confinement: box?.session,
    hook: hookFor(cli),
  });
  writeFileSync(join(written, 'env.json'), JSON.stringify(server.env), { mode: 0o600 });
  for (const [name, content] of Object.entries(invocation.files))
    writeFileSync(join(written, name), content, { mode: 0o600 });
  const placed = Object.entries(invocation.projectFiles ?? {}).map(([name, content]) => {
    const path = join(workingDirectory, name);
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, content);
    return path;
  });
  const home =
    invocation.home === undefined ? {} : makeOwnHome(invocation.home, cli.id, kept, surroundings, mergeSettings);
  return {
    cli,
    program: programFor(cli, spec.command, surroundings['PATH'] ?? '', workingDirectory),
    invocation,
    env: {
      ...withoutMarks(surroundings),
      // Commands in the agent's shell belong to this agent too. In a sandbox only its server and hooks do.
      ...(box === undefined && { ...ownVariables(claimed, ticket, tree), SEKISHO_ENV_FILE: envFile }),
      ...invocation.env,
      ...home,
      ...ticket.secrets,
    },
    folder: kept,
    placed,
  };
}

/** Merges our settings into a client's file. */
export type MergeSettings = (path: string, before: string | undefined, ours: JsonObject, client: string) => string;

/** Creates the agent's home in its folder, of links, so that renewed credentials and saved state stay the person's. */
function makeOwnHome(
  { variable, folder, file, json }: OwnHome,
  client: string,
  kept: string,
  env: Environment,
  merge: MergeSettings,
): Readonly<Record<string, string>> {
  const home = join(kept, 'home');
  const theirs = env[variable] || env['HOME'] || homedir();
  const inside = join(home, folder);
  const real = join(theirs, folder);
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  for (const name of existsSync(real) ? readdirSync(real) : [])
    if (name !== file) symlinkSync(join(real, name), join(inside, name));
  const settings = join(real, file);
  const before = existsSync(settings) ? readFileSync(settings, 'utf8') : undefined;
  writeFileSync(join(inside, file), merge(settings, before, json, client), { mode: 0o600 });
  return { [variable]: home };
}

/** Returns the first installed name of the program; otherwise the first name, for the error message. */
function programFor(cli: AgentCli, command: readonly string[] | undefined, path: string, root: string): string {
  const names = programNames(cli, command);
  return names.find((one) => findProgram(one, path, root) !== undefined) ?? names[0] ?? '';
}

/** The command that starts our MCP server, without a shell and without PATH. */
export function ownServer() {
  return { command: process.execPath, args: [packagePath('bin', 'sekisho'), 'mcp'] };
}

/** Builds the command lines with which a client calls our hook, without PATH. */
export function hookFor({ id }: Pick<AgentCli, 'id'>): AgentLaunch['hook'] {
  const program = [process.execPath, packagePath('bin', 'sekisho')].map(quoted).join(' ');
  return (event) => `${program} hook ${event} --client ${id}`;
}

/** Files that `prepare` writes into a working directory, for every CLI. They do not count as an agent's work. */
export function placedFiles(): Readonly<Record<string, string>> {
  const placeholder = {
    model: undefined,
    permissions: 'full',
    prompt: '',
    systemPrompt: undefined,
    workingDirectory: '/',
    folder: '/',
    command: undefined,
    server: { ...ownServer(), env: {} },
    envFile: '/',
    // In a sandbox, some CLIs use a project file instead of one in the home.
    confinement: { folder: '/', hookUrl: '', hookToken: '', mcp: ownServer() },
  } as const;
  return Object.fromEntries(
    agents.flatMap((cli) => Object.entries(cli.invoke({ ...placeholder, hook: hookFor(cli) }).projectFiles ?? {})),
  );
}

function quoted(word: string): string {
  return /^[\w./+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function pick(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, env[name]] as const).filter((one): one is [string, string] => one[1] !== undefined),
  );
}

const keptFolders = 300;
const keptMs = 7 * 24 * 3600 * 1000;

/** Deletes the folders of agents that ended long ago. */
export function deleteOldFolders(folder: string, now: Date): void {
  const all = dirname(folder);
  const names = readdirSync(all);
  if (names.length <= keptFolders) return;
  for (const name of names) {
    const at = statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
    if (now.getTime() - at > keptMs) rmSync(join(all, name), { recursive: true, force: true });
  }
}
