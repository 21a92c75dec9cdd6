import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/row.ts';
import { fleetContext } from '../fleet-context.ts';
import { settle } from './settle.ts';
import type { AgentState } from '../view/state.ts';
import { agentState, isLive } from '../view/state.ts';
import { unique } from '../host/tally.ts';
import { problem } from '../problem.ts';

const progressMs = 10_000;
/** A host that died tells nobody: it has to be looked for. */
const lookMs = 1000;

export interface Waited {
  readonly completed: readonly AgentState[];
  readonly pending: readonly AgentState[];
  readonly timedOut: boolean;
}

/** Wakes with the journal, whichever process wrote it. A client that cancels ends the wait. */
export async function waitForAgents(
  context: Context,
  ids: readonly string[],
  mode: 'all' | 'any',
  timeoutMs: number,
): Promise<Waited> {
  const wanted = unique(ids);
  const started = performance.now();
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, context.signal]);
  const from = await context.store.head();
  const bell = createBell(signal);
  void (async () => {
    for await (const { subject } of context.store.follow(from, signal)) if (wanted.includes(subject)) bell.ring();
  })().catch((error: unknown) => context.log.warn('wait: the feed ended', { reason: String(error) }));
  let told = started;
  try {
    await settle(fleetContext(context));
    for (let looked = performance.now(); ;) {
      bell.forget();
      const found = await readAll(context, wanted);
      const completed = found.filter((one) => !isLive(one.status));
      const pending = found.filter((one) => isLive(one.status));
      const now = performance.now();
      const timedOut = now - started >= timeoutMs;
      const enough = mode === 'all' ? pending.length === 0 : completed.length > 0;
      if (enough || timedOut || signal.aborted) return { completed, pending, timedOut: !enough };
      if (now - told >= progressMs) {
        told = now;
        context.progress({
          progress: completed.length + (now - started) / (timeoutMs + 1),
          total: wanted.length,
          message: `${completed.length}/${wanted.length}: ${pending.map((one) => `${one.agentId} ${one.status}, ${one.toolCallCount} tool calls`).join('; ')}`,
        });
      }
      const rest = Math.min(lookMs, timeoutMs - (now - started), progressMs - (now - told));
      await bell.wait(Math.max(1, rest));
      if (performance.now() - looked >= lookMs) {
        looked = performance.now();
        await settle(fleetContext(context));
      }
    }
  } finally {
    stop.abort();
  }
}

/** Something to sleep on. One listener for the whole wait: agents that end in quick succession ring many times a second. */
function createBell(signal: AbortSignal) {
  let rang = false;
  let wake = () => {};
  const ring = () => {
    rang = true;
    wake();
  };
  signal.addEventListener('abort', ring, { once: true });
  return {
    ring,
    /** What rings from here on counts. */
    forget(): void {
      rang = signal.aborted;
    },
    async wait(ms: number): Promise<void> {
      if (rang) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, ms);
      });
      clearTimeout(timer);
    },
  };
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
