import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/journal.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { BoundRun } from './bound-run.ts';
import { readBoundRun } from './bound-run.ts';
import { holdersOf } from './holder.ts';
import { decideIn, isOpenTool, withoutAsking } from '../definition/permissions.ts';
import { possibleEvents } from '../definition/role.ts';
import { problem, refusal } from '../problem.ts';

/** What was answered last: it holds as long as nothing was committed since. */
interface Answer extends Bound {
  readonly question: Pick<Context, 'project' | 'settings' | 'runId'>;
  readonly version: string | undefined;
}

interface Bound {
  /** Undefined where none binds. */
  readonly run: BoundRun | undefined;
}

/** By connection: one asks the same again and again. */
type Answers = Map<string | undefined, Answer>;
const kept = 1000;

/** Asked before every call of every tool: a proxied call should not pay for a read that says what it said before. */
function bindingRun(context: Context, answers: Answers): Bound | Promise<Bound> {
  const { store, project, settings, runId, connection } = context;
  const version = store.version();
  const before = answers.get(connection?.id);
  if (before !== undefined && before.version === version && version !== undefined) {
    const { question } = before;
    if (question.project === project && question.settings === settings && question.runId === runId) return before;
  }
  return readBoundRun(store, project, runId, holdersOf(context), before?.run).then((run) => {
    if (answers.size >= kept) answers.clear();
    // Taken before the read: if somebody committed in between, the next call reads again.
    answers.set(connection?.id, { question: { project, settings, runId }, version, run });
    return { run };
  });
}

/** People are not bound: `tool_permissions` are for agents. The current run's `tool_permissions` for our own tools and for proxied ones. A server cannot ask a person, so `ask` refuses too. */
export function createGatePolicy(): Policy {
  const answers: Answers = new Map();
  return { check: (context, tool) => check(context, tool, answers) };
}

async function check(context: Context, tool: string, answers: Answers): Promise<Problem | undefined> {
  if (context.actor.person) return undefined;
  const names = [tool, `mcp__sekisho__${tool}`];
  let run: BoundRun | undefined;
  try {
    const bound = bindingRun(context, answers);
    ({ run } = bound instanceof Promise ? await bound : bound);
  } catch (error) {
    if (!problem.RUN_NOT_FOUND.is(error)) throw error;
    // Nobody knows what a run that does not exist would permit, but its agent must be able to say so.
    return isOpenTool(names) ? undefined : error;
  }
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
