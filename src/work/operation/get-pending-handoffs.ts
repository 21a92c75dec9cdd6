import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { readAgent } from '../session/agents.ts';
import { handoffRecord } from '../task/handoffs.ts';
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
    const [rows = []] = await context.store.read([
      {
        sql: `select * from work_handoff where status = 'pending' ${mine} and id > :after order by id limit :limit`,
        args: {
          after: decodeCursor(input.cursor) ?? '',
          limit: input.limit + 1,
          ...(input.agent_id !== undefined && { agent: input.agent_id }),
        },
      },
    ]);
    const page = cutPage(rows, input.limit, (row) => text(row, 'id'));
    return {
      success: true as const,
      handoffs: page.rows.map(handoffRecord),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
