import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { requireAgent } from '../agent-rows.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from '../plan/settle.ts';
import { agentIdInput, agentSchema, asMutable } from '../shapes.ts';
import { agentState } from '../view/state.ts';
import { described, words } from '../words.ts';

export const describeAgent = defineOperation({
  name: 'describe_agent',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('One agent: everything in get_agent_status, plus its prompt, its program and where it runs.'),
  example: '--agent-id code-review-1767225600-1a2b',
  input: z.strictObject({ agentId: agentIdInput }),
  output: agentSchema.extend({
    prompt: z.string(),
    cli: z.string(),
    currentTool: described(z.string().nullable(), 'The tool in use, if its stream says so'),
    timeout_ms: z.number(),
    machine: z.string(),
    createdAt: z.string(),
  }),
  async run(context, { agentId }) {
    await settle(fleetContext(context));
    const row = await requireAgent(context, agentId);
    return {
      ...(asMutable(agentState(row, context.now())) as z.input<typeof agentSchema>),
      prompt: text(row, 'prompt'),
      cli: text(row, 'cli'),
      currentTool: row['status'] === 'running' ? optional(row, 'tool') : null,
      timeout_ms: Number(row['timeout_ms']),
      machine: text(row, 'machine').replace(/\/.*/, ''),
      createdAt: text(row, 'created_at'),
    };
  },
});
