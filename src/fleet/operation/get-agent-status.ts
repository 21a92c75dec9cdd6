import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { requireAgent } from '../agent-rows.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from '../plan/settle.ts';
import { agentIdInput, agentSchema, asMutable } from '../shapes.ts';
import { agentState } from '../view/state.ts';
import { words } from '../words.ts';

export const getAgentStatus = defineOperation({
  name: 'get_agent_status',
  toolsets: ['fleet'],
  effect: 'read',
  summary: words('One agent: state, times, tool calls, tokens, last activity and result.'),
  example: '--agent-id code-review-1767225600-1a2b',
  input: z.strictObject({ agentId: agentIdInput }),
  output: agentSchema,
  async run(context, { agentId }) {
    await settle(fleetContext(context));
    const row = await requireAgent(context, agentId);
    return asMutable(agentState(row, context.now())) as z.input<typeof agentSchema>;
  },
});
