import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cancelAgent } from '../plan/cancel.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from '../plan/settle.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const cancelAgents = defineOperation({
  name: 'cancel_agents',
  toolsets: ['fleet'],
  effect: 'write',
  idempotent: true,
  summary: {
    en: 'End agents: a queued one never starts, a running one is ended with everything it started.',
    ja: 'エージェントを終了します。待機中のものは起動されません。実行中のものは、起動したプログラムごと終了します。',
  },
  example: '--agent-ids impl-code-1767225600-1a2b',
  input: z.strictObject({
    agentIds: told(z.array(z.string()), {
      en: 'The agents to end, at least one',
      ja: '終了するエージェント (1 つ以上)',
    }),
  }),
  output: z.object({
    cancelled: told(z.array(z.string()), {
      en: 'Those that were queued or running',
      ja: '待機中または実行中だったもの',
    }),
    ended: told(z.array(z.string()), { en: 'Those that had ended before', ja: 'すでに終了していたもの' }),
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
