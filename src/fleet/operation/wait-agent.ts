import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { longestTimerMs } from '../../kernel/setting.ts';
import { agentSchema, mutable } from '../shapes.ts';
import { inShort } from '../view/state.ts';
import { waitForAgents } from '../plan/wait.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

/** Before any known client gives up on a call. */
const usualWaitMs = 50_000;

export const waitAgent = defineOperation({
  name: 'wait_agent',
  toolsets: ['fleet'],
  effect: 'read',
  summary: {
    en: 'Wait until all (or any) of these agents have ended, however they ended. Call again while timedOut is true.',
    ja: '指定したエージェントのすべて (またはいずれか) が終わるまで待ちます。結果は問いません。timedOut が true の間は、もう一度呼び出してください。',
  },
  example: '--agent-ids code-review-1767225600-1a2b --mode all',
  input: z.strictObject({
    agentIds: told(z.array(z.string()), {
      en: 'The agents to wait for, at least one',
      ja: '待つエージェント (1 つ以上)',
    }),
    timeout_ms: told(z.int().min(0).max(longestTimerMs).optional(), {
      en: 'How long at most; 50000 by default',
      ja: '待つ時間の上限 (既定は 50000 ミリ秒)',
    }),
    mode: told(z.enum(['all', 'any']).default('all'), {
      en: 'all: until the last has ended; any: until the first has',
      ja: 'all は最後の 1 つまで、any は最初の 1 つまで待ちます',
    }),
  }),
  output: z.object({
    completed: told(z.array(agentSchema), { en: 'Every agent that ended', ja: '終了したエージェント' }),
    pending: told(z.array(agentSchema), {
      en: 'Those that are still queued or running',
      ja: 'まだ待機中または実行中のもの',
    }),
    timedOut: z.boolean(),
  }),
  async run(context, { agentIds, timeout_ms: timeoutMs, mode }) {
    if (agentIds.length === 0) throw problem.EMPTY_AGENT_IDS();
    const { completed, pending, timedOut } = await waitForAgents(context, agentIds, mode, timeoutMs ?? usualWaitMs);
    const shown = (one: (typeof completed)[number]) => mutable(inShort(one)) as z.input<typeof agentSchema>;
    return { completed: completed.map(shown), pending: pending.map(shown), timedOut };
  },
});
