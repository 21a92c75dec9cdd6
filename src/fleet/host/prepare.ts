import { packagePath } from '../../base/package.ts';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from '../../kernel/store/row.ts';
import type { AgentCli, Invocation, Launch as AgentLaunch } from '../agent-cli.ts';
import { findProgram } from '../../machine/find-program.ts';
import { agents, findAgentCli, programNames } from '../agents.ts';
import { type Ticket, withoutMarks } from './spawn-host.ts';
import { agentMarker } from './agent-tree.ts';
import type { SandboxSession } from './sandbox-session.ts';
import type { Claimed } from './claim.ts';
import { type MergeSettings, makeOwnHome } from './own-home.ts';
import type { Environment } from '../../base/environment.ts';

export interface Prepared {
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
function ownVariables({ id, spec }: Claimed, ticket: Ticket, tree: string): Readonly<Record<string, string>> {
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
  claimed: Claimed,
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

export interface Where {
  readonly cwd: string;
  readonly tree: string;
  readonly mergeSettings: MergeSettings;
  /** The agent's sandbox, if it has one: the agent's files are inside, its server is outside. */
  readonly box: SandboxSession | undefined;
}

/**
 * Writes the files the program needs into its own folder. Secrets are only in files that their owner alone can read.
 */
export function prepare(
  claimed: Claimed,
  ticket: Ticket,
  { cwd: workingDirectory, tree, box, mergeSettings }: Where,
  instructions: string,
  surroundings: Environment,
): Prepared {
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

/**
 * Files that `prepare` writes into a working directory, for every CLI. They are the same for each agent and do not
 * count as its work.
 */
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
export function forgetOld(folder: string, now: Date): void {
  const all = dirname(folder);
  const names = readdirSync(all);
  if (names.length <= keptFolders) return;
  for (const name of names) {
    const at = statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
    if (now.getTime() - at > keptMs) rmSync(join(all, name), { recursive: true, force: true });
  }
}
