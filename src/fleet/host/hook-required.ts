import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readBoundRuns } from '../../gate/index.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import type { AgentCli, AgentClient } from '../agent-cli.ts';
import { ourCommand } from '../agent-hook.ts';
import { movedFolders } from '../agents.ts';
import type { FleetContext } from '../fleet-context.ts';
import { phrase } from '../problem.ts';
import { type ClaimedAgent, agentCallers } from './claim.ts';
import type { PreparedAgent } from './prepare.ts';
import type { Environment } from '../../base/environment.ts';

/** Returns why an agent that a process binds must not start: nothing would make it call our hook. */
export async function findHookObstacle(
  context: FleetContext,
  { cli, invocation }: PreparedAgent,
  { id, spec }: ClaimedAgent,
  { cwd, tree, env }: { readonly cwd: string; readonly tree: string; readonly env: Environment },
): Promise<Sentence | undefined> {
  const why = whyHooksOff(cli, cwd, env) ?? whyFileBlocks(cli, invocation.projectFiles ?? {}, cwd, env);
  if (why === undefined) return undefined;
  // An agent of a Runner gets its task, and the task's run, only later.
  if (spec.callbacks !== undefined) return why;
  const { place: project } = spec;
  const holders = { project, tasks: [], callers: agentCallers(id), trees: [tree] };
  const bound = await readBoundRuns(context.store, project, holders);
  return bound.length === 0 ? undefined : why;
}

function whyHooksOff(cli: AgentCli, cwd: string, env: Environment): Sentence | undefined {
  const file = findHooksOff(cli, cwd, env);
  return file === undefined ? undefined : phrase.agentHooksOff({ file });
}

/** Finds the file that switches a client's hooks off for a session in this folder. */
export function findHooksOff(
  { settings = [], hooksOff }: Pick<AgentClient, 'settings' | 'hooksOff'>,
  cwd: string,
  env: Environment,
): string | undefined {
  if (hooksOff === undefined) return undefined;
  const paths = settings.flatMap((path) => [join(cwd, path), inHome(path, env)]);
  return paths.find((path) => hooksOff.test(textOf(path)));
}

/** Resolves a settings path in the user's home, or in the folder that a variable names instead. */
function inHome(path: string, env: Environment): string {
  const moved = movedFolders(env).find(({ insteadOf }) => path.startsWith(`${insteadOf}/`));
  return moved === undefined ? join(homeOf(env), path) : join(moved.folder, path.slice(moved.insteadOf.length));
}

/** Finds a project file that stands in the place of our hook file, unless a file in the person's home has our hook. */
function whyFileBlocks(
  cli: AgentCli,
  files: Readonly<Record<string, string>>,
  cwd: string,
  env: Environment,
): Sentence | undefined {
  const ours = ourCommand(cli.id);
  const file = Object.keys(files).find((path) => ours.test(files[path] ?? '') && !ours.test(textOf(join(cwd, path))));
  if (file === undefined) return undefined;
  const own = cli.setup?.({
    hook: () => '',
    mcp: { command: '', args: [] },
    scope: 'own',
    tree: cwd,
    repository: cwd,
    home: (folder, variable) => (variable === undefined ? undefined : env[variable]) || join(homeOf(env), folder),
  });
  return own?.some(({ path }) => ours.test(textOf(path))) === true
    ? undefined
    : phrase.agentUnasked({ cli: cli.id, file });
}

function homeOf(env: Environment): string {
  return env['HOME'] || homedir();
}

function textOf(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, 'utf8') : '';
}
