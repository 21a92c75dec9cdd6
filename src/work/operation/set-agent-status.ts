import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { agentRecord, agentStatuses, readAgent } from '../session/agents.ts';
import { revokeSessions } from '../session/revoke.ts';
import { agentIdInput, agentSchema, success } from '../shapes.ts';
import { told } from '../../kernel/text/described.ts';

export const setAgentStatus = defineOperation({
  name: 'set_agent_status',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: {
    en: 'Let an agent rest, or wake it. One that rests is not started, and its sessions end at once.',
    ja: 'エージェントを休ませるか、再び有効にします。休んでいる間は起動されず、セッションはすぐに終わります。',
  },
  example: '--agent-id agt_developer --status inactive',
  input: z.strictObject({
    agent_id: agentIdInput,
    status: told(z.enum(agentStatuses), { en: 'Its new state', ja: '新しい状態' }),
  }),
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
