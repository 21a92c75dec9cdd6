import { entryFor, readAgent } from '../agent-rows.ts';
import type { FleetContext } from '../fleet-context.ts';
import { startOf } from '../../machine/identity.ts';
import type { Tally } from './tally.ts';
import { shorten } from './tally.ts';
import type { Child } from './child.ts';
import type { Claimed } from './claim.ts';
import type { Stop } from './judge.ts';

/** What has changed is told this often, and that nothing has, less often. */
const beatMs = 2000;
const silentBeatMs = 5000;
const lookMs = 500;

/** Signs of life, with what the agent is doing. A beat that does not land means that the agent is not ours any more, or cancelled. */
export function startBeats(
  context: FleetContext,
  claimed: Claimed,
  child: Child,
  cwd: string,
  stop: (reason: Stop) => void,
): { end(): Promise<void> } {
  const { id, nonce, spec } = claimed;
  let told: Tally | undefined;
  let at = 0;
  let running: Promise<void> | undefined;

  const beat = async (): Promise<void> => {
    const tally = child.tally();
    const now = performance.now();
    const due = told === undefined || now - at >= (tally === told ? silentBeatMs : beatMs);
    if (!due) return;
    at = now;
    const first = told === undefined;
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
          sql: `update fleet_agent set beat = beat + 1, beat_at = :at, child_pid = :pid, child_start = :start,
            working_directory = :cwd, ${progressColumns} where id = :id and host = :nonce and status = 'running' and cancel_at is null`,
          args: {
            id,
            nonce,
            at: stamp,
            pid: child.pid ?? null,
            start: child.pid === undefined ? null : (startOf(child.pid) ?? null),
            cwd,
            ...progressOf(tally),
          },
          rows: 1,
        },
        ...others,
      ],
      [entryFor(context, claimed.row, id, 'agent.progress', { toolCalls: tally.toolCalls, first })],
    );
    told = tally;
    if (outcome.done) return;
    const row = await readAgent(context, id);
    const ours = row !== undefined && row['host'] === nonce && row['status'] === 'running';
    stop(ours && row['cancel_at'] !== null ? 'cancel' : 'lost');
  };
  const guarded = () => {
    // A database that is away comes back; the next beat tries again.
    running ??= beat()
      .catch((error: unknown) => context.log.warn('beat failed', { agent: id, reason: String(error) }))
      .finally(() => (running = undefined));
    return running;
  };
  void guarded();
  const timer = setInterval(() => void guarded(), lookMs);
  return {
    async end() {
      clearInterval(timer);
      await running;
    },
  };
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
