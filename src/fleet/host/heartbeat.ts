import { entryFor, readAgent } from '../agent-rows.ts';
import type { FleetContext } from '../fleet-context.ts';
import { startOf } from '../../machine/identity.ts';
import { type Tally, shorten } from './stream-tally.ts';
import type { Child } from './child.ts';
import type { ClaimedAgent } from './claim.ts';
import type { Stop } from './judge.ts';

/** Heartbeat intervals: with changes, without changes, and between checks. */
const beatMs = 2000;
const silentBeatMs = 5000;
const lookMs = 500;

export interface Heartbeats {
  /** From now on, heartbeats report the agent's progress. */
  attach(child: Child, cwd: string): void;
  end(): Promise<void>;
}

/**
 * Sends heartbeats: for the host while it prepares (git may take minutes), then for the agent. A heartbeat that
 * conflicts means that the agent was cancelled or belongs to another host.
 */
export function startHeartbeats(
  context: FleetContext,
  claimed: ClaimedAgent,
  stop: (reason: Stop) => void,
): Heartbeats {
  const { id, nonce, spec } = claimed;
  let agent: { readonly child: Child; readonly cwd: string } | undefined;
  let sentTally: Tally | undefined;
  let isCancelled = false;
  let isLost = false;
  // The claim counts as the first heartbeat.
  let at = performance.now();
  let running: Promise<void> | undefined;

  const beat = async (): Promise<void> => {
    if (isLost) return;
    const tally = agent?.child.tally();
    const now = performance.now();
    const first = agent !== undefined && sentTally === undefined;
    if (!first && now - at < (tally === sentTally ? silentBeatMs : beatMs)) return;
    at = now;
    const time = context.now();
    const stamp = time.toISOString();
    const until = new Date(time.getTime() + (spec.callbacks?.leaseMs ?? 0)).toISOString();
    const others =
      spec.callbacks === undefined
        ? []
        : await context.callback(spec.callbacks.beat, { at: stamp, until, agent: id, ended: undefined });
    const outcome = await context.store.commit(
      [
        {
          sql: `update fleet_agent set beat = beat + 1, beat_at = :at${agent === undefined ? '' : `, child_pid = :pid, child_start = :start, working_directory = :cwd, ${progressColumns}`}
            where id = :id and host = :nonce and status = 'running'${isCancelled ? '' : ' and cancel_at is null'}`,
          args: { id, nonce, at: stamp, ...(agent !== undefined && agentColumns(agent.child, agent.cwd)) },
          rows: 1,
        },
        ...others,
      ],
      [entryFor(context, claimed.row, id, 'agent.progress', { toolCalls: tally?.toolCalls ?? 0, first })],
    );
    sentTally = tally;
    if (outcome.done) return;
    const row = await readAgent(context, id);
    const ours = row !== undefined && row['host'] === nonce && row['status'] === 'running';
    // A cancelled agent needs heartbeats until its end is recorded: git may take a while to clean up.
    isCancelled = ours && row['cancel_at'] !== null;
    isLost = !isCancelled;
    stop(isCancelled ? 'cancel' : 'lost');
  };
  const sendBeat = () => {
    // If the database is unavailable, the next heartbeat tries again.
    running ??= beat()
      .catch((error: unknown) => context.log.warn('heartbeat failed', { agent: id, reason: String(error) }))
      .finally(() => (running = undefined));
    return running;
  };
  const timer = setInterval(() => void sendBeat(), lookMs);
  return {
    attach(child, cwd) {
      agent = { child, cwd };
      void sendBeat();
    },
    async end() {
      clearInterval(timer);
      await running;
    },
  };
}

function agentColumns(child: Child, cwd: string): Record<string, string | number | null> {
  const { pid } = child;
  const start = pid === undefined ? undefined : startOf(pid);
  return { pid: pid ?? null, start: start ?? null, cwd, ...progressOf(child.tally()) };
}

export const progressColumns = `tool_calls = :calls, activity = :activity, tool = :tool, usage = :usage, session = :session,
  model = coalesce(:model, model)`;

export function progressOf(tally: Tally): Record<string, string | number | null> {
  return {
    calls: tally.toolCalls,
    activity: tally.activity === undefined ? null : shorten(tally.activity.slice(0, 1000)),
    tool: tally.tool ?? null,
    usage: tally.usage === undefined ? null : JSON.stringify(tally.usage),
    session: tally.session ?? null,
    model: tally.model ?? null,
  };
}
