import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/journal.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { Problem } from '../../kernel/problem.ts';
import { decideHere, namesOf, permittedWhile } from './assumption.ts';
import type { BoundRun } from './bound-run.ts';
import { readBoundRun } from './bound-run.ts';
import { holdersOf } from './holder.ts';
import { isOpenTool } from '../definition/permissions.ts';
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
  if (before !== undefined && before.version === version && version !== undefined && isAsked(before, context))
    return before;
  return readBoundRun(store, project, runId, holdersOf(context), before?.run).then((run) => {
    if (answers.size >= kept) answers.clear();
    // Taken before the read: if somebody committed in between, the next call reads again.
    answers.set(connection?.id, { question: { project, settings, runId }, version, run });
    return { run };
  });
}

function isAsked({ question }: Answer, { project, settings, runId }: Context): boolean {
  return question.project === project && question.settings === settings && question.runId === runId;
}

/** People are not bound: `tool_permissions` are for agents. */
export function createGatePolicy(): Policy {
  const answers: Answers = new Map();
  return {
    check: (context, tool) => check(context, tool, answers),
    assume(context, tool) {
      const before = answers.get(context.connection?.id);
      if (before === undefined || context.actor.person || !isAsked(before, context)) return undefined;
      const { project, runId } = context;
      return permittedWhile(tool, before.run, { project, runId, holders: holdersOf(context) });
    },
  };
}

async function check(context: Context, tool: string, answers: Answers): Promise<Problem | undefined> {
  if (context.actor.person) return undefined;
  let run: BoundRun | undefined;
  try {
    const bound = bindingRun(context, answers);
    ({ run } = bound instanceof Promise ? await bound : bound);
  } catch (error) {
    if (!problem.RUN_NOT_FOUND.is(error)) throw error;
    // Nobody knows what a run that does not exist would permit, but its agent must be able to say so.
    return isOpenTool(namesOf(tool)) ? undefined : error;
  }
  if (run === undefined) return undefined;
  const { said, refuses } = decideHere(run.definition, run.state, tool);
  if (!refuses) return undefined;
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
