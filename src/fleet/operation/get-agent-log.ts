import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { decodePosition, encodeCursor } from '../../kernel/store/page.ts';
import { requireAgent } from '../agent-rows.ts';
import { agentLog } from '../view/agent-log.ts';
import { agentIdInput, cursorInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const getAgentLog = defineOperation({
  name: 'get_agent_log',
  toolsets: ['fleet'],
  effect: 'read',
  summary: words('Output of an agent, line by line, from the oldest line kept. Use nextCursor for more while it runs.'),
  example: '--agent-id impl-code-1767225600-1a2b --limit 100',
  input: z.strictObject({
    agentId: agentIdInput,
    cursor: cursorInput,
    limit: described(z.int().min(1).max(5000).default(200), 'Maximum number of lines'),
  }),
  output: z.object({ agentId: z.string(), lines: z.array(z.string()), nextCursor: z.string().optional() }),
  async run(context, { agentId, cursor, limit }) {
    const row = await requireAgent(context, agentId);
    const page = agentLog(context, row, decodePosition(cursor) ?? 0, limit);
    return {
      agentId,
      lines: [...page.lines],
      ...((page.more || page.live) && { nextCursor: encodeCursor(String(page.next)) }),
    };
  },
});
