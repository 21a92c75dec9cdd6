import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readBoundRuns } from '../../gate/index.ts';
import type { Sentence } from '../../kernel/text.ts';
import type { AgentCli } from '../agent-cli.ts';
import { ourCommand } from '../agent-hook.ts';
import type { FleetContext } from '../fleet-context.ts';
import { phrase } from '../problem.ts';
import type { Claimed } from './claim.ts';
import { agentCallers } from './claim.ts';
import type { Prepared } from './prepare.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Why an agent that a process binds must not start: nothing would make it ask before it uses a tool. */
export async function whyUnasked(
  context: FleetContext,
  { cli, invocation }: Prepared,
  { id, spec }: Claimed,
  { cwd, tree, env }: { readonly cwd: string; readonly tree: string; readonly env: Environment },
): Promise<Sentence | undefined> {
  const why = switchedOff(cli, cwd, env) ?? inTheWay(cli, invocation.projectFiles ?? {}, cwd, env);
  if (why === undefined) return undefined;
  // What a Runner starts gets its task, and the run of it, only later.
  if (spec.callbacks !== undefined) return why;
  const { place: project } = spec;
  const holders = { project, tasks: [], callers: agentCallers(id), trees: [tree] };
  const bound = await readBoundRuns(context.store, project, holders);
  return bound.length === 0 ? undefined : why;
}

function switchedOff({ settings = [], hooksOff }: AgentCli, cwd: string, env: Environment): Sentence | undefined {
  if (hooksOff === undefined) return undefined;
  const paths = settings.flatMap((path) => [join(cwd, path), join(homeOf(env), path)]);
  const file = paths.find((path) => hooksOff.test(textOf(path)));
  return file === undefined ? undefined : phrase.agentHooksOff({ file });
}

/** A file of the project where ours would stand, while no file of the person's leads to us either. */
function inTheWay(
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
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
