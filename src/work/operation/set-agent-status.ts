import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { agentRecord, agentStatuses, readAgent } from '../session/agents.ts';
import { revokeSessions } from '../session/sessions.ts';
import { agentIdInput, agentSchema, success } from '../shapes.ts';
import { described, words } from '../words.ts';

export const setAgentStatus = defineOperation({
  name: 'set_agent_status',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words(
    'Activate or deactivate an agent. An inactive agent is not started, and its sessions end immediately.',
  ),
  example: '--agent-id agt_developer --status inactive',
  input: z.strictObject({ agent_id: agentIdInput, status: described(z.enum(agentStatuses), 'Its new state') }),
  output: z.object({ success, agent: agentSchema }),
  async run(context, input) {
    const before = await readAgent(context, input.agent_id);
    await context.store.commit(
      [
        {
          sql: 'update work_agent set status = :status, updated_at = :at where id = :id',
          args: { id: input.agent_id, status: input.status, at: context.now().toISOString() },
        },
        ...(input.status === 'active' ? [] : await revokeSessions(context, input.agent_id)),
      ],
      [
        entry(context, input.agent_id, 'identity.updated', {
          changes: { status: { from: before['status'], to: input.status } },
        }),
      ],
    );
    return { success: true as const, agent: agentRecord(await readAgent(context, input.agent_id)) };
  },
});
