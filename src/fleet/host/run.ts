import { existsSync } from 'node:fs';
import { again, retry } from '../../kernel/retry.ts';
import { text } from '../../kernel/row.ts';
import { messageOf } from '../../kernel/failure.ts';
import type { End } from '../agent-rows.ts';
import { endAgent, readAgent } from '../agent-rows.ts';
import type { FleetContext } from '../fleet-context.ts';
import { openLog } from './log-file.ts';
import { startOf } from '../../machine/identity.ts';
import { settle } from '../plan/settle.ts';
import type { Ticket } from './spawn-host.ts';
import type { Tally } from './tally.ts';
import { emptyTally } from './tally.ts';
import { endTree } from '../../machine/tree.ts';
import { agentTree } from './agent-tree.ts';
import { progressColumns, progressOf, startBeats } from './beats.ts';
import { startChild } from './child.ts';
import type { Claimed } from './claim.ts';
import { claimAgent } from './claim.ts';
import { mergeFiles } from './files.ts';
import { changesSince, takeSnapshot } from './git.ts';
import type { Ending, Stop } from './judge.ts';
import { outcomeOf, reasonOf } from './judge.ts';
import { prepare, tidy } from './prepare.ts';
import type { Worktree } from './worktree.ts';
import { addWorktree, leaveWorktree, treeIn } from './worktree.ts';
import { phrase } from '../problem.ts';

const graceMs = 5000;
/** An agent that said it is done gets this long to go by itself. */
const lingerMs = 300;
const drainMs = 500;

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  onSignal(listener: (name: string) => void): void;
}

/** The whole life of one agent: claim it, run its program, end everything it started, record how it went, look what is next. */
export async function runHost(context: FleetContext, ticket: Ticket, around: Surroundings): Promise<void> {
  const claimed = await claimAgent(context, ticket.agentId);
  if (claimed === undefined) return;
  const end = await live(context, claimed, ticket, around).catch((error: unknown): Finished => {
    const reason = messageOf(error);
    return failed(context.say(phrase.agentNotStarted({ reason })));
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
  const given = text(row, 'working_directory');
  if (!existsSync(given)) return failed(context.say(phrase.groupNoFolder({ path: given })));
  const worktree = spec.isolation === 'worktree' ? await addWorktree(spec.place.worktrees, id, given) : undefined;
  const cwd = worktree?.workingDirectory ?? given;
  const instructions = spec.toolsets.includes('fleet') ? context.say(phrase.promptReport({ agentId: id })) : '';
  const tree = worktree === undefined ? spec.place.tree : treeIn(worktree, spec.place.tree);
  const prepared = prepare(claimed, ticket, { cwd, tree }, instructions, around.env);
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
    const left = await endTree(agentTree(id, root), graceMs);
    const exit = await child.exited;
    await settled(child.closed, drainMs);
    child.release();
    if (reason === 'lost') return 'lost';
    await beats.end();
    const seen = before === undefined ? undefined : await changesSince(before);
    const files = mergeFiles(cwd, child.tally(), seen, prepared.placed);
    const stays = worktree === undefined ? false : await leave(context, worktree, claimed);
    const ending: Ending = { child, exit, reason, timeoutMs: Number(row['timeout_ms']), left: left.length };
    return {
      outcome: outcomeOf(ending),
      exitCode: exit.code,
      reaped: left.length === 0,
      automatic: {
        summary: summaryOf(child.tally()),
        editedFiles: files.edited,
        createdFiles: files.created,
        errorMessage: reasonOf(context, prepared, ending),
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

const giveUpMs = 10 * 60 * 1000;

/** However long the database is away: an end that nobody records would read as a host that died. */
async function record(context: FleetContext, claimed: Claimed, end: Finished): Promise<void> {
  const deadline = performance.now() + giveUpMs;
  let pause = 50;
  for (;;) {
    try {
      return await retry(
        () => recordOnce(context, claimed, end),
        () => new Error(`agent ${claimed.id} kept changing`),
      );
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 5000);
    }
  }
}

async function recordOnce(context: FleetContext, claimed: Claimed, end: Finished): Promise<void | typeof again> {
  const row = await readAgent(context, claimed.id);
  if (row === undefined || row['host'] !== claimed.nonce || row['status'] !== 'running') return undefined;
  const { writes, entries } = await endAgent(context, row, end);
  const progress = {
    sql: `update fleet_agent set working_directory = coalesce(:cwd, working_directory), ${progressColumns} where id = :id`,
    args: { id: claimed.id, cwd: end.workingDirectory ?? null, ...progressOf(end.tally) },
  };
  return (await context.store.commit([...writes, progress], entries)).done ? undefined : again;
}
