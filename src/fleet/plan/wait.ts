import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import { waitUntil } from '../../kernel/wait.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from './settle.ts';
import { type AgentState, agentState, isLive } from '../view/state.ts';
import { uniqueItems } from '../host/stream-tally.ts';
import { problem } from '../problem.ts';

/** The interval of checks: a host that dies sends no notification. */
const lookMs = 1000;

export async function waitForAgents(context: Context, ids: readonly string[], mode: 'all' | 'any', timeoutMs: number) {
  const wanted = uniqueItems(ids);
  let settled = -lookMs;
  const { found, enough } = await waitUntil(context, {
    subjects: wanted,
    timeoutMs,
    lookMs,
    async look() {
      if (performance.now() - settled >= lookMs) {
        await settle(fleetContext(context));
        settled = performance.now();
      }
      return split(await readAll(context, wanted));
    },
    isEnough: ({ completed, pending }) => (mode === 'all' ? pending.length === 0 : completed.length > 0),
    progress: ({ completed, pending }, share) => ({
      // Percent of the waiting time: some clients show these two numbers unchanged.
      progress: Math.round(share * 100),
      total: 100,
      message: `${completed.length}/${wanted.length}: ${pending.map((one) => `${one.agentId} ${one.status}, ${one.toolCallCount} tool calls`).join('; ')}`,
    }),
  });
  return { ...found, timedOut: !enough };
}

function split(all: readonly AgentState[]) {
  return { completed: all.filter((one) => !isLive(one.status)), pending: all.filter((one) => isLive(one.status)) };
}

async function readAll(context: Context, ids: readonly string[]): Promise<readonly AgentState[]> {
  const names = ids.map((_, index) => `:id${index}`).join(', ');
  const args = Object.fromEntries(ids.map((id, index) => [`id${index}`, id]));
  const [rows = []] = await context.store.read([{ sql: `select * from fleet_agent where id in (${names})`, args }]);
  const now = context.now();
  return ids.map((agentId) => {
    const row = rows.find((one) => text(one, 'id') === agentId);
    if (row === undefined) throw problem.AGENT_NOT_FOUND({ agentId });
    return agentState(row, now);
  });
}
