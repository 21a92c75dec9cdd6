import type { Context } from '../kernel/context.ts';
import { entry } from '../kernel/journal.ts';
import type { Policy } from '../kernel/policy.ts';
import { Problem } from '../kernel/problem.ts';
import { isPersonal } from '../kernel/role.ts';
import { readBinding, waysOut } from './binding.ts';
import { holdersOf } from './holder.ts';
import { decideTool, withoutAsking } from './permissions.ts';

/** People are not bound: `tool_permissions` are for agents. The current run's `tool_permissions` for our own tools and for proxied ones. A server cannot ask a person, so `ask` refuses too. */
export const gatePolicy: Policy = {
  async check(context: Context, tool: string): Promise<Problem | undefined> {
    if (isPersonal(context.actor.role)) return undefined;
    const binding = await readBinding(context.store, context.project.key, context.runId, holdersOf(context));
    if (binding === undefined || binding.isFinal) return undefined;
    const names = [tool, `mcp__sekisho__${tool}`];
    const said = decideTool(binding.state.tool_permissions, names);
    const decision = withoutAsking(said, names);
    if (decision === undefined || decision === 'allow') return undefined;
    const { runId, processId, state, revision } = binding;
    await context.store.commit(
      [],
      [entry(context, runId, 'tool.refused', { tool, said, state: state.name, revision })],
    );
    return new Problem(
      'FORBIDDEN',
      {
        kind: 'tool',
        tool,
        state: state.name,
        process: processId,
        run_id: runId,
        ask: said === 'ask',
        opens: waysOut(binding),
      },
      { run_id: runId, current_state: state.name },
    );
  },
};
