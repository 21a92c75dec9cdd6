import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { Problem } from '../../kernel/problem.ts';
import { type BoundRun, readBoundRuns } from './bound-run.ts';
import type { Definition } from '../definition/definition.ts';
import { type Decision, decideIn, withoutAsking } from '../definition/permissions.ts';
import { holdersOf } from './holder.ts';
import { possibleEvents } from '../definition/role.ts';
import { refusal } from '../problem.ts';

/** Permits a tool unless a run that binds the caller denies it. People are not bound: `tool_permissions` apply to agents. */
export const gatePolicy: Policy = { check };

async function check(context: Context, tool: string): Promise<Problem | undefined> {
  if (context.actor.person) return undefined;
  const runs = await readBoundRuns(context.store, context.project, holdersOf(context));
  for (const run of runs) {
    const refused = await refuseIn(context, run, tool);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

async function refuseIn(context: Context, run: BoundRun, tool: string): Promise<Problem | undefined> {
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

/** Decides about one of our own tools or a proxied one. A server cannot ask a person, so `ask` denies too. */
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
