import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Policy } from '../../kernel/policy.ts';
import type { Problem } from '../../kernel/problem.ts';
import { type BoundRun, readBoundRuns } from './bound-run.ts';
import { decideIn, withoutAsking } from '../definition/permissions.ts';
import { holdersOf } from './holder.ts';
import { possibleEvents } from '../definition/role.ts';
import { refusal } from '../problem.ts';

/** Permits a tool unless a run that binds the caller denies it. People are not bound: `tool_permissions` apply to agents. */
export const gatePolicy: Policy = {
  async check(context, tool) {
    if (context.actor.person) return undefined;
    for (const run of await readBoundRuns(context.store, context.project, holdersOf(context))) {
      const refused = await refuseIn(context, run, tool);
      if (refused !== undefined) return refused;
    }
    return undefined;
  },
};

/** Refuses one of our own tools or a proxied one. A server cannot ask a person, so `ask` denies too. */
async function refuseIn(context: Context, run: BoundRun, tool: string): Promise<Problem | undefined> {
  const names = [tool, `mcp__sekisho__${tool}`];
  const said = decideIn(run.definition, run.state, { names });
  const decision = withoutAsking(said, names);
  if (decision === undefined || decision === 'allow') return undefined;
  const { id, processId, state, revision } = run;
  await context.store.commit([], [entry(context, id, 'tool.refused', { tool, said, state, revision })]);
  const opens = possibleEvents(run.definition, state, context.actor.role);
  return refusal.tool(
    { tool, state, process: processId, run_id: id, ask: said === 'ask', opens },
    { run_id: id, current_state: state },
  );
}
