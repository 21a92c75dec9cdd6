import { packaged } from '../../kernel/package.ts';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from '../../kernel/row.ts';
import type { AgentCli, Invocation } from '../agent-cli.ts';
import { findAgentCli } from '../agents.ts';
import { withoutMarks } from './spawn-host.ts';
import type { Ticket } from './spawn-host.ts';
import { agentMarker } from './agent-tree.ts';
import type { Claimed } from './claim.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Prepared {
  readonly cli: AgentCli;
  readonly program: string;
  readonly invocation: Invocation;
  readonly env: Environment;
  readonly folder: string;
  /** Files that we ourselves put into the working directory. */
  readonly placed: readonly string[];
}

export function agentFolder(state: string, agentId: string): string {
  return join(state, 'agents', agentId);
}

/** Writes what the program needs into a folder of its own. Whatever is secret stands in files that are its owner's alone. */
export function prepare(
  claimed: Claimed,
  ticket: Ticket,
  { cwd: workingDirectory, tree }: { readonly cwd: string; readonly tree: string },
  instructions: string,
  surroundings: Environment,
): Prepared {
  const { id, row, spec } = claimed;
  const folder = agentFolder(spec.place.state, id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const cli = findAgentCli(text(row, 'cli'));
  const model = text(row, 'model');
  const ours = {
    [agentMarker]: id,
    SEKISHO_DB: ticket.db,
    SEKISHO_PROJECT: tree,
    SEKISHO_PROJECT_KEY: spec.place.key,
    SEKISHO_LANG: ticket.lang,
    ...(spec.runId !== undefined && { SEKISHO_RUN_ID: spec.runId }),
  };
  const server = {
    command: process.execPath,
    args: [packaged('bin', 'sekisho'), 'mcp'],
    env: {
      ...ours,
      ...ticket.secrets,
      SEKISHO_TOKEN: claimed.token,
      SEKISHO_TOOLSETS: spec.toolsets.join(','),
      // Some clients start servers with next to nothing.
      ...pick(surroundings, ['PATH', 'HOME', 'LANG', 'TMPDIR', 'XDG_DATA_HOME']),
    },
  };
  const envFile = join(folder, 'env.json');
  const invocation = cli.invoke({
    model: model === 'default' ? undefined : model,
    permissions: spec.permissions,
    prompt: text(row, 'prompt') + (cli.capabilities.model ? instructions : ''),
    systemPrompt: spec.systemPrompt,
    workingDirectory,
    folder,
    command: spec.command,
    server,
    envFile,
  });
  writeFileSync(envFile, JSON.stringify(server.env), { mode: 0o600 });
  for (const [name, content] of Object.entries(invocation.files))
    writeFileSync(join(folder, name), content, { mode: 0o600 });
  const placed = Object.entries(invocation.projectFiles ?? {}).map(([name, content]) => {
    const path = join(workingDirectory, name);
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path)) writeFileSync(path, content);
    return path;
  });
  return {
    cli,
    program: cli.program ?? spec.command?.[0] ?? '',
    invocation,
    env: { ...withoutMarks(surroundings), ...ours, ...invocation.env, ...ticket.secrets },
    folder,
    placed,
  };
}

function pick(env: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, env[name]] as const).filter((one): one is [string, string] => one[1] !== undefined),
  );
}

const keptFolders = 300;
const keptMs = 7 * 24 * 3600 * 1000;

/** The log stays, the token's files go; folders of long ago go entirely. */
export function tidy(prepared: Pick<Prepared, 'folder' | 'invocation'>, now: Date): void {
  for (const name of ['env.json', ...Object.keys(prepared.invocation.files)])
    rmSync(join(prepared.folder, name), { force: true });
  const all = dirname(prepared.folder);
  const names = readdirSync(all);
  if (names.length <= keptFolders) return;
  for (const name of names) {
    const at = statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? now.getTime();
    if (now.getTime() - at > keptMs) rmSync(join(all, name), { recursive: true, force: true });
  }
}
