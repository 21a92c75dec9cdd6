import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/journal.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { BoundRun } from './bound-run.ts';
import { readBoundRun } from './bound-run.ts';
import type { Definition } from '../definition/definition.ts';
import type { Decision } from '../definition/permissions.ts';
import { holdersOf } from './holder.ts';
import { decideIn, isOpenTool, withoutAsking } from '../definition/permissions.ts';
import { possibleEvents } from '../definition/role.ts';
import { problem, refusal } from '../problem.ts';

/** Permits a tool unless the run that binds the caller refuses it. People are not bound: `tool_permissions` are for agents. */
export const gatePolicy: Policy = { check };

async function check(context: Context, tool: string): Promise<Problem | undefined> {
  if (context.actor.person) return undefined;
  let run: BoundRun | undefined;
  try {
    const { store, project, runId } = context;
    run = await readBoundRun(store, project, runId, holdersOf(context));
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

/** What a state says of one of our own tools, or of one that we pass on. A server cannot ask a person, so `ask` refuses too. */
function decideHere(
  definition: Definition,
  state: string,
  tool: string,
): { readonly said: Decision | undefined; readonly refuses: boolean } {
  const names = namesOf(tool);
  const said = decideIn(definition, state, { names });
  const decision = withoutAsking(said, names);
  return { said, refuses: decision !== undefined && decision !== 'allow' };
}

function namesOf(tool: string): readonly string[] {
  return [tool, `mcp__sekisho__${tool}`];
}
