import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cancelAgent } from '../plan/cancel.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from '../plan/settle.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const cancelAgents = defineOperation({
  name: 'cancel_agents',
  toolsets: ['fleet'],
  effect: 'write',
  idempotent: true,
  summary: words('Cancel agents: a queued one never starts; a running one is stopped with everything it started.'),
  example: '--agent-ids impl-code-1767225600-1a2b',
  input: z.strictObject({ agentIds: described(z.array(z.string()), 'The agents to cancel, at least one') }),
  output: z.object({
    cancelled: described(z.array(z.string()), 'Agents that were queued or running'),
    ended: described(z.array(z.string()), 'Agents that had already ended'),
  }),
  async run(context, { agentIds }) {
    if (agentIds.length === 0) throw problem.EMPTY_AGENT_IDS();
    const cancelled: string[] = [];
    const ended: string[] = [];
    for (const id of agentIds) ((await cancelAgent(context, id)) ? cancelled : ended).push(id);
    await settle(fleetContext(context));
    return { cancelled, ended };
  },
});
