import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { readAgent } from '../session/agents.ts';
import { handoffRecord } from '../task/handoffs.ts';
import { nextCursorField, readPage } from '../task/page.ts';
import { cursorInput, handoffSchema, nextCursor, success } from '../shapes.ts';
import { described, words } from '../words.ts';

export const getPendingHandoffs = defineOperation({
  name: 'get_pending_handoffs',
  toolsets: ['work'],
  effect: 'read',
  summary: words('Pending hand-offs, oldest first: those to one agent and those to any agent.'),
  example: '--agent-id agt_b',
  input: z.strictObject({
    agent_id: described(z.string().optional(), 'Only those that this agent can accept; all if omitted'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ success, handoffs: z.array(handoffSchema), next_cursor: nextCursor }),
  async run(context, input) {
    if (input.agent_id !== undefined) await readAgent(context, input.agent_id);
    const mine = input.agent_id === undefined ? '' : 'and (to_agent_id = :agent or to_agent_id is null)';
    const query = {
      sql: `select * from work_handoff where status = 'pending' ${mine} and id > :after order by id`,
      args: input.agent_id === undefined ? {} : { agent: input.agent_id },
    };
    const { rows, next } = await readPage(context, query, 'id', input);
    return { success: true as const, handoffs: rows.map(handoffRecord), ...nextCursorField(next) };
  },
});
