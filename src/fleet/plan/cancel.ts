import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { endAgent, endWithoutWork, requireAgent } from '../agent-rows.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import { hostLives } from './settle.ts';
import { phrase } from '../problem.ts';

/** Cancels an agent; false if it had ended. The host of a running one sees the request, or a signal on this machine. */
export async function cancelAgent(context: Context, agentId: string): Promise<boolean> {
  return retry(
    async () => {
      const row = await requireAgent(context, agentId);
      if (row['status'] === 'queued') {
        const end = endWithoutWork('cancelled', context.say(phrase.agentCancelled()));
        const { writes, entries } = await endAgent(context, row, end);
        return (await context.store.commit(writes, entries)).done ? true : again;
      }
      if (row['status'] !== 'running') return false;
      const outcome = await context.store.commit(
        [
          {
            sql: `update fleet_agent set cancel_at = :at, revision = revision + 1
              where id = :id and revision = :revision and status = 'running'`,
            args: { id: agentId, revision: Number(row['revision']), at: context.now().toISOString() },
            rows: 1,
          },
        ],
        [entry(context, agentId, 'agent.cancel_requested', {})],
      );
      if (!outcome.done) return again;
      if (row['machine'] === thisMachine() && hostLives(row)) {
        try {
          process.kill(Number(row['host_pid']), 'SIGTERM');
        } catch {
          // The host ended at this moment.
        }
      }
      return true;
    },
    () => kernelProblem.STORE_BUSY({ what: agentId }),
  );
}
