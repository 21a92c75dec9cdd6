import { existsSync } from 'node:fs';
import { endAgent, hookWrites, readAgent } from '../agent-rows.ts';
import { entry } from '../../kernel/journal.ts';
import type { FleetContext } from '../fleet-context.ts';
import { openLog } from '../log-file.ts';
import { startOf } from '../machine.ts';
import { settle } from '../settle.ts';
import type { Ticket } from '../spawn-host.ts';
import type { End } from '../agent-rows.ts';
import type { Outcome } from '../state.ts';
import { column } from '../state.ts';
import type { Tally } from '../tally.ts';
import { emptyTally, shorten } from '../tally.ts';
import { endTree } from '../tree.ts';
import type { Child, Exit } from './child.ts';
import { startChild } from './child.ts';
import type { Claimed } from './claim.ts';
import { claimAgent } from './claim.ts';
import { mergeFiles } from './files.ts';
import { changesSince, takeSnapshot } from './git.ts';
import type { Prepared } from './prepare.ts';
import { prepare, tidy } from './prepare.ts';
import type { Worktree } from './worktree.ts';
import { addWorktree, leaveWorktree } from './worktree.ts';

const graceMs = 5000;
/** What has changed is told this often, and that nothing has, less often. */
const beatMs = 2000;
const silentBeatMs = 5000;
/** An agent that said it is done gets this long to go by itself. */
const lingerMs = 300;
const drainMs = 500;

/** Why the host ends its child. `lost`: the agent is no longer this host's. */
type Stop = 'timeout' | 'cancel' | 'signal' | 'done' | 'lost';

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  onSignal(listener: (name: string) => void): void;
}

/** The whole life of one agent: claim it, run its program, end everything it started, record how it went, look what is next. */
export async function runHost(context: FleetContext, ticket: Ticket, around: Surroundings): Promise<void> {
  const claimed = await claimAgent(context, ticket.agentId);
  if (claimed === undefined) return;
  const end = await live(context, claimed, ticket, around).catch((error: unknown): Finished => {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(context.say('agent.not-started', { reason }));
  });
  if (end !== 'lost') await record(context, claimed, end);
  await settle(context);
}

interface Finished extends End {
  readonly tally: Tally;
  readonly workingDirectory: string | undefined;
}

function failed(errorMessage: string): Finished {
  return {
    outcome: 'failed',
    automatic: { summary: '', editedFiles: [], createdFiles: [], errorMessage },
    exitCode: null,
    reaped: true,
    tally: emptyTally,
    workingDirectory: undefined,
  };
}

async function live(
  context: FleetContext,
  claimed: Claimed,
  ticket: Ticket,
  around: Surroundings,
): Promise<Finished | 'lost'> {
  const { id, row, spec } = claimed;
  const given = column(row, 'working_directory');
  if (!existsSync(given)) return failed(context.say('group.no-folder', { path: given }));
  const worktree = spec.isolation === 'worktree' ? await addWorktree(spec.place.home, id, given) : undefined;
  const cwd = worktree?.workingDirectory ?? given;
  const instructions = spec.toolsets.includes('fleet') ? context.say('prompt.report', { agentId: id }) : '';
  const prepared = prepare(claimed, ticket, cwd, instructions, around.env);
  const before = await takeSnapshot(cwd);
  const log = openLog(prepared.folder);
  let stop: (reason: Stop) => void = () => undefined;
  const stopped = new Promise<Stop>((resolve) => (stop = resolve));
  const child = startChild({ ...prepared, cwd, log, onEnd: () => setTimeout(() => stop('done'), lingerMs) });
  const root = child.pid === undefined ? undefined : { pid: child.pid, start: startOf(child.pid) ?? '' };
  const timer = setTimeout(() => stop('timeout'), Number(row['timeout_ms']));
  around.onSignal(() => void isCancelled(context, id).then((yes) => stop(yes ? 'cancel' : 'signal')));
  const beats = startBeats(context, claimed, child, cwd, stop);
  try {
    const first = await Promise.race([child.exited, stopped]);
    const reason = typeof first === 'string' ? first : undefined;
    if (typeof first !== 'string') await settled(child.closed, drainMs);
    const left = await endTree({ agentId: id, root }, graceMs);
    const exit = await child.exited;
    await settled(child.closed, drainMs);
    child.release();
    if (reason === 'lost') return 'lost';
    await beats.end();
    const seen = before === undefined ? undefined : await changesSince(before);
    const files = mergeFiles(cwd, child.tally(), seen, prepared.placed);
    const stays = worktree === undefined ? false : await leave(context, worktree, claimed);
    return {
      ...judge(context, prepared, child, exit, reason, Number(row['timeout_ms']), left.length),
      automatic: {
        summary: summaryOf(child.tally()),
        editedFiles: files.edited,
        createdFiles: files.created,
        errorMessage: reasonOf(context, prepared, child, exit, reason, Number(row['timeout_ms']), left.length),
      },
      tally: child.tally(),
      workingDirectory: worktree !== undefined && !stays ? given : cwd,
    };
  } finally {
    clearTimeout(timer);
    await beats.end();
    log.close();
    tidy(prepared, context.now());
  }
}

async function leave(context: FleetContext, worktree: Worktree, { id, spec }: Claimed): Promise<boolean> {
  const stays = await leaveWorktree(worktree, spec.worktrees, `Work of ${id}`);
  context.log.info('worktree', { agent: id, path: worktree.path, branch: worktree.branch, kept: stays });
  return stays;
}

async function isCancelled(context: FleetContext, id: string): Promise<boolean> {
  const row = await readAgent(context, id).catch(() => undefined);
  return row !== undefined && row['cancel_at'] !== null;
}

function settled(promise: Promise<unknown>, ms: number): Promise<unknown> {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms))]);
}

function summaryOf(tally: Tally): string {
  return tally.answer ?? tally.lines.join('\n');
}

function judge(
  _context: FleetContext,
  _prepared: Prepared,
  child: Child,
  exit: Exit,
  reason: Stop | undefined,
  _timeoutMs: number,
  left: number,
): { outcome: Outcome; exitCode: number | null; reaped: boolean } {
  const { error, ended } = child.tally();
  const outcome =
    reason === 'timeout'
      ? 'timedOut'
      : reason === 'cancel' || reason === 'signal'
        ? 'cancelled'
        : exit.error !== undefined || error !== undefined || (!ended && exit.code !== 0)
          ? 'failed'
          : 'completed';
  return { outcome, exitCode: exit.code, reaped: left === 0 };
}

/** The stream's error, else the last words on stderr, else how the process ended. */
function reasonOf(
  context: FleetContext,
  prepared: Prepared,
  child: Child,
  exit: Exit,
  reason: Stop | undefined,
  timeoutMs: number,
  left: number,
): string | null {
  const { error, ended, denials } = child.tally();
  const strays = left === 0 ? '' : ` ${context.say('agent.strays', { count: left })}`;
  if (reason === 'timeout') return context.say('agent.timed-out', { ms: timeoutMs }) + strays;
  if (reason === 'cancel') return context.say('agent.cancelled', {}) + strays;
  if (reason === 'signal') return context.say('agent.host-stopped', { signal: 'SIGTERM' }) + strays;
  if (exit.error?.code === 'ENOENT')
    return context.say('agent.not-installed', {
      program: prepared.program,
      remedy: context.say('role.install', { command: prepared.cli.install }),
    });
  if (exit.error !== undefined) return context.say('agent.not-started', { reason: exit.error.message });
  if (error !== undefined) return error;
  if (!ended && exit.code !== 0)
    return child.errors() === '' ? context.say('agent.exit', { code: exit.code, signal: exit.signal }) : child.errors();
  return denials.length === 0 ? null : context.say('agent.denied', { tools: denials.join(', ') });
}

/** Signs of life, with what the agent is doing. A beat that does not land means that the agent is not ours any more, or cancelled. */
function startBeats(
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
    const until = new Date(time.getTime() + (spec.hooks?.leaseMs ?? 0)).toISOString();
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
        ...hookWrites(spec.hooks?.beat ?? [], { now: stamp, until, agent: id, outcome: '' }),
      ],
      [entry(context, id, 'agent.progress', { toolCalls: tally.toolCalls, first })],
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
  const timer = setInterval(() => void guarded(), 500);
  return {
    async end() {
      clearInterval(timer);
      await running;
    },
  };
}

const progressColumns = `tool_calls = :calls, activity = :activity, usage = :usage, session = :session,
  model = coalesce(:model, model)`;

function progressOf(tally: Tally): Record<string, string | number | null> {
  return {
    calls: tally.toolCalls,
    activity: tally.activity === undefined ? null : shorten(tally.activity.slice(0, 1000)),
    usage: tally.usage === undefined ? null : JSON.stringify(tally.usage),
    session: tally.session ?? null,
    model: tally.model ?? null,
  };
}

const giveUpMs = 10 * 60 * 1000;

/** However long the database is away: an end that nobody records would read as a host that died. */
async function record(context: FleetContext, claimed: Claimed, end: Finished): Promise<void> {
  const deadline = performance.now() + giveUpMs;
  let pause = 50;
  for (;;) {
    try {
      const row = await readAgent(context, claimed.id);
      if (row === undefined || row['host'] !== claimed.nonce || row['status'] !== 'running') return;
      const { writes, entries } = endAgent(context, row, end);
      const progress = {
        sql: `update fleet_agent set working_directory = coalesce(:cwd, working_directory), ${progressColumns} where id = :id`,
        args: { id: claimed.id, cwd: end.workingDirectory ?? null, ...progressOf(end.tally) },
      };
      if ((await context.store.commit([...writes, progress], entries)).done) return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 5000);
    }
  }
}
