import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { longestTimerMs } from '../../kernel/setting.ts';
import { agentSchema, asMutable } from '../shapes.ts';
import { shortenAgent } from '../view/state.ts';
import { waitForAgents } from '../plan/wait.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

/** Shorter than the call timeout of any known client. */
const usualWaitMs = 50_000;

export const waitAgent = defineOperation({
  name: 'wait_agent',
  toolsets: ['fleet'],
  effect: 'read',
  summary: words(
    'Wait until all (or any) of these agents have ended, successfully or not. Call again while timedOut is true.',
  ),
  example: '--agent-ids code-review-1767225600-1a2b --mode all',
  input: z.strictObject({
    agentIds: described(z.array(z.string()), 'The agents to wait for, at least one'),
    timeout_ms: described(
      z.int().min(0).max(longestTimerMs).optional(),
      'Maximum wait in milliseconds; default: 50000',
    ),
    mode: described(z.enum(['all', 'any']).default('all'), 'all: until the last has ended; any: until the first has'),
  }),
  output: z.object({
    completed: described(z.array(agentSchema), 'Agents that have ended'),
    pending: described(z.array(agentSchema), 'Agents still queued or running'),
    timedOut: z.boolean(),
  }),
  async run(context, { agentIds, timeout_ms: timeoutMs, mode }) {
    if (agentIds.length === 0) throw problem.EMPTY_AGENT_IDS();
    const { completed, pending, timedOut } = await waitForAgents(context, agentIds, mode, timeoutMs ?? usualWaitMs);
    const shown = (one: (typeof completed)[number]) => asMutable(shortenAgent(one)) as z.input<typeof agentSchema>;
    return { completed: completed.map(shown), pending: pending.map(shown), timedOut };
  },
});
