import type { Write } from '../../kernel/store/store.ts';
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

// No digest covers these columns, so a heartbeat that changes nothing else needs no journal entry.
const volatileColumns = 'tool_calls = :calls, activity = :activity, tool = :tool, usage = :usage';
const sessionColumns = 'session = :session, model = coalesce(:model, model)';
export const progressColumns = `${volatileColumns}, ${sessionColumns}`;

type Args = Readonly<Record<string, string | number | null>>;

export interface Heartbeats {
  /** From now on, heartbeats report the agent's progress. */
  attach(child: Child, cwd: string): void;
  end(): Promise<void>;
}

interface AttachedAgent {
  readonly child: Child;
  readonly cwd: string;
  /** The start time of its process. */
  readonly start: string | undefined;
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
  let agent: AttachedAgent | undefined;
  let sentTally: Tally | undefined;
  let sentFacts: Args | undefined;
  let isCancelled = false;
  let isLost = false;
  // The claim counts as the first heartbeat.
  let at = performance.now();
  let running: Promise<void> | undefined;

  const beat = async (): Promise<void> => {
    if (isLost) return;
    const tally = agent?.child.tally();
    const now = performance.now();
    const isFirst = agent !== undefined && sentTally === undefined;
    if (!isFirst && now - at < (tally === sentTally ? silentBeatMs : beatMs)) return;
    at = now;
    const time = context.now();
    const stamp = time.toISOString();
    const until = new Date(time.getTime() + (spec.callbacks?.leaseMs ?? 0)).toISOString();
    const others =
      spec.callbacks === undefined
        ? []
        : await context.callback(spec.callbacks.beat, { at: stamp, until, agent: id, ended: undefined });
    const writes: readonly Write[] = [
      {
        sql: `update fleet_agent set beat = beat + 1, beat_at = :at${tally === undefined ? '' : `, ${volatileColumns}`}
          where id = :id and host = :nonce and status = 'running'${isCancelled ? '' : ' and cancel_at is null'}`,
        args: { id, nonce, at: stamp, ...(tally !== undefined && volatileOf(tally)) },
        rows: 1,
      },
      ...others,
    ];
    const facts = agent === undefined || tally === undefined ? undefined : factsOf(agent, tally);
    const hasNews = facts !== undefined && JSON.stringify(facts) !== JSON.stringify(sentFacts);
    const outcome = hasNews
      ? await context.store.commit(
          [...writes, { sql: `update fleet_agent set ${factColumns} where id = :id`, args: { id, ...facts } }],
          [entryFor(context, claimed.row, id, 'agent.progress', { toolCalls: tally?.toolCalls ?? 0, first: isFirst })],
        )
      : await context.store.touch(writes);
    sentTally = tally;
    if (outcome.done) {
      sentFacts = facts;
      return;
    }
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
      agent = { child, cwd, start: child.pid === undefined ? undefined : startOf(child.pid) };
      void sendBeat();
    },
    async end() {
      clearInterval(timer);
      await running;
    },
  };
}

const factColumns = `child_pid = :pid, child_start = :start, working_directory = :cwd, ${sessionColumns}`;

/** The facts about an agent that digests cover. They seldom change, so a heartbeat commits them only when they do. */
function factsOf({ child, cwd, start }: AttachedAgent, tally: Tally): Args {
  return { pid: child.pid ?? null, start: start ?? null, cwd, ...sessionOf(tally) };
}

export function progressOf(tally: Tally): Args {
  return { ...volatileOf(tally), ...sessionOf(tally) };
}

function sessionOf({ session, model }: Tally): Args {
  return { session: session ?? null, model: model ?? null };
}

function volatileOf(tally: Tally): Args {
  return {
    calls: tally.toolCalls,
    activity: tally.activity === undefined ? null : shorten(tally.activity.slice(0, 1000)),
    tool: tally.tool ?? null,
    usage: tally.usage === undefined ? null : JSON.stringify(tally.usage),
  };
}
