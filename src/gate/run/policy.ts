import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/journal.ts';
import type { Policy } from '../../kernel/policy.ts';
import { Problem } from '../../kernel/problem.ts';
import type { BoundRun } from './bound-run.ts';
import { readBoundRun } from './bound-run.ts';
import { holdersOf } from './holder.ts';
import { decideIn, isOpenTool, withoutAsking } from '../definition/permissions.ts';
import { possibleEvents } from '../definition/role.ts';
import { problem, refusal } from '../problem.ts';

/** The last answer for each question, as long as nothing was committed since. */
type Answers = Map<string, { readonly version: string | undefined; readonly run: BoundRun | undefined }>;
const kept = 1000;

/** Asked before every call of every tool: a proxied call should not pay for a read that says what it said before. */
async function bindingRun(context: Context, answers: Answers): Promise<BoundRun | undefined> {
  const { store, project, runId } = context;
  const holders = holdersOf(context);
  const question = JSON.stringify([project.key, runId, holders]);
  const version = store.version();
  const before = answers.get(question);
  if (before !== undefined && version !== undefined && before.version === version) return before.run;
  const run = await readBoundRun(store, project, runId, holders, before?.run);
  if (answers.size >= kept) answers.clear();
  // Taken before the read: if somebody committed in between, the next call reads again.
  answers.set(question, { version, run });
  return run;
}

/** People are not bound: `tool_permissions` are for agents. The current run's `tool_permissions` for our own tools and for proxied ones. A server cannot ask a person, so `ask` refuses too. */
export function createGatePolicy(): Policy {
  const answers: Answers = new Map();
  return { check: (context, tool) => check(context, tool, answers) };
}

async function check(context: Context, tool: string, answers: Answers): Promise<Problem | undefined> {
  if (context.actor.person) return undefined;
  const names = [tool, `mcp__sekisho__${tool}`];
  const run = await bindingRun(context, answers).catch((error: unknown) => {
    if (problem.RUN_NOT_FOUND.is(error)) return error;
    throw error;
  });
  // Nobody knows what a run that does not exist would permit, but its agent must be able to say so.
  if (run instanceof Problem) return isOpenTool(names) ? undefined : run;
  if (run === undefined) return undefined;
  const said = decideIn(run.definition, run.state, { names });
  const decision = withoutAsking(said, names);
  if (decision === undefined || decision === 'allow') return undefined;
  const { id, processId, state, revision } = run;
  await context.store.commit([], [entry(context, id, 'tool.refused', { tool, said, state, revision })]);
  return refusal.tool(
    {
      tool,
      state,
      process: processId,
      run_id: id,
      ask: said === 'ask',
      opens: possibleEvents(run.definition, state, context.actor.role),
    },
    { run_id: id, current_state: state },
  );
}
