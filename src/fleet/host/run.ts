import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AppearedRepository, type Launch, bareLaunch } from '../../sandbox/port.ts';
import { TreeRefusal } from '../../change/index.ts';
import { findProgram } from '../../machine/find-program.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { text } from '../../kernel/store/row.ts';
import { messageOf } from '../../base/failure.ts';
import { type End, endAgent, endWithoutWork, entryFor, readAgent } from '../agent-rows.ts';
import type { FleetContext } from '../fleet-context.ts';
import { openLog } from './log-file.ts';
import { startOf } from '../../machine/identity.ts';
import { settle } from '../plan/settle.ts';
import { type Ticket, agentMarker, agentTree, withoutMarks } from './spawn-host.ts';
import { type Tally, emptyTally, summaryOf } from './stream-tally.ts';
import { endTree } from '../../machine/tree.ts';
import { agents } from '../agents.ts';
import { type Heartbeats, progressColumns, progressOf, startHeartbeats } from './heartbeat.ts';
import { startChild } from './child.ts';
import { findHookObstacle } from './hook-required.ts';
import type { SandboxSession, OpenSandboxSession } from './sandbox-session.ts';
import { type ClaimedAgent, claimAgent } from './claim.ts';
import { type ConfineFor, openOwnTree, recordOwnTree } from './own-tree.ts';
import { changesSince, mergeFiles, takeSnapshot } from './snapshot.ts';
import { type AgentEnding, type Stop, notInstalledReason, outcomeOf, reasonOf } from './judge.ts';
import {
  type MergeSettings,
  type PreparedAgent,
  deleteOldFolders,
  makeFolder,
  prepare,
  serverVariables,
} from './prepare.ts';
import {
  clearFolder,
  forgetLeftovers,
  writeLeftovers,
  remainsFile,
  reportRepositories,
  removeLeftovers,
} from './leftovers.ts';
import type { Environment } from '../../base/environment.ts';
import { phrase } from '../problem.ts';

const graceMs = 5000;
/** The time an agent that said it is done has to exit by itself. */
const lingerMs = 300;
const drainMs = 500;

export interface Surroundings {
  readonly env: Environment;
  onSignal(listener: (name: string) => void): void;
  readonly openBox: OpenSandboxSession;
  readonly mergeSettings: MergeSettings;
  readonly confine: ConfineFor;
}

/** Runs one agent: its program, the end of every process it started, its result, and what is next. */
export async function runHost(context: FleetContext, ticket: Ticket, around: Surroundings): Promise<void> {
  const claimed = await claimAgent(context, ticket.agentId);
  if (claimed === undefined) return;
  const end = await runWithHeartbeats(context, claimed, ticket, around).catch(
    async (error: unknown): Promise<HostResult> => {
      const reason = error instanceof TreeRefusal ? context.say(error.sentence) : messageOf(error);
      await recordOwnTree(context, claimed.row);
      await removeLeftovers(context, claimed.row);
      return failedResult(context.say(phrase.agentNotStarted({ reason })));
    },
  );
  if (end !== 'lost') {
    await record(context, claimed, end);
    forgetLeftovers(claimed.row);
  }
  await settle(context);
}

interface HostResult extends End {
  readonly tally: Tally;
}

function failedResult(errorMessage: string): HostResult {
  return { ...endWithoutWork('failed', errorMessage), tally: emptyTally };
}

/** Controls of a claimed agent: a way to stop it from outside, and its heartbeats. */
interface HostControls {
  readonly stop: (reason: Stop) => void;
  readonly stopped: Promise<Stop>;
  /** Returns the first stop reason, if there is one. */
  readonly reason: () => Stop | undefined;
  readonly beats: Heartbeats;
}

async function runWithHeartbeats(
  context: FleetContext,
  claimed: ClaimedAgent,
  ticket: Ticket,
  around: Surroundings,
): Promise<HostResult | 'lost'> {
  let first: Stop | undefined;
  let tell: (reason: Stop) => void = () => undefined;
  const stopped = new Promise<Stop>((resolve) => (tell = resolve));
  const stop = (reason: Stop) => {
    first ??= reason;
    tell(reason);
  };
  around.onSignal(() => void isCancelled(context, claimed.id).then((yes) => stop(yes ? 'cancel' : 'signal')));
  const beats = startHeartbeats(context, claimed, stop);
  try {
    return await runClaimed(context, claimed, ticket, around, { stop, stopped, reason: () => first, beats });
  } finally {
    await beats.end();
  }
}

async function runClaimed(
  context: FleetContext,
  claimed: ClaimedAgent,
  ticket: Ticket,
  around: Surroundings,
  { stop, stopped, reason: stopReason, beats }: HostControls,
): Promise<HostResult | 'lost'> {
  const { id, row, spec } = claimed;
  const cwd = text(row, 'working_directory');
  const folder = makeFolder(spec.place.state, id);
  const own = await openOwnTree(context, claimed, around.confine);
  if (!existsSync(cwd)) return failedResult(context.say(phrase.groupNoFolder({ path: cwd })));
  // Preparing the tree may have taken minutes.
  if (own !== undefined && (await isCancelled(context, id))) stop('cancel');
  const over = stopReason();
  if (over === 'lost') return 'lost';
  if (over !== undefined) {
    await recordOwnTree(context, row);
    clearFolder(folder, [remainsFile]);
    const reason = over === 'signal' ? phrase.agentHostStopped({ signal: 'SIGTERM' }) : phrase.agentCancelled();
    return { ...failedResult(context.say(reason)), outcome: 'cancelled' };
  }
  const instructions = spec.toolsets.includes('fleet') ? context.say(phrase.promptReport({ agentId: id })) : '';
  const tree = own ?? spec.place.tree;
  const appeared: AppearedRepository[] = [];
  const report = async (found: readonly AppearedRepository[], by: string) => {
    if (by === id) appeared.push(...found);
    await reportRepositories(context, row, found, by);
  };
  const server = { ...withoutMarks(around.env), ...serverVariables(claimed, ticket, tree, around.env) };
  const watch = { by: id, report };
  const client = text(row, 'cli');
  const box = await around.openBox({ place: spec.place, wish: spec.sandbox, tree, client, server, watch });
  const prepared = prepare(claimed, ticket, { ...around, cwd, tree, box }, instructions, around.env);
  const before = await takeSnapshot(around.env, cwd);
  const ignored = [...prepared.placed, ...(box === undefined ? [] : placeholderFiles(tree))];
  writeLeftovers(folder, { cwd, before, ignored, session: box?.folder });
  const launch = await launchIn(context, box, prepared, claimed, { cwd, tree, env: around.env }).catch(
    async (error: unknown) => {
      await box?.close();
      throw error;
    },
  );
  const log = openLog(prepared.folder);
  const child = startChild({ ...prepared, launch, cwd, log, onEnd: () => setTimeout(() => stop('done'), lingerMs) });
  const root = child.pid === undefined ? undefined : { pid: child.pid, start: startOf(child.pid) ?? '' };
  const timeoutMs = Number(row['timeout_ms']);
  const timer = setTimeout(() => stop('timeout'), timeoutMs);
  beats.attach(child, cwd);
  try {
    const first = await Promise.race([child.exited, stopped]);
    const reason = typeof first === 'string' ? first : undefined;
    if (typeof first !== 'string') await waitAtMost(child.closed, drainMs);
    const left = await endTree(agentTree(id, root), graceMs);
    const exit = await child.exited;
    await waitAtMost(child.closed, drainMs);
    child.release();
    if (reason === 'lost') return 'lost';
    await launch.ended();
    const seen = before === undefined ? undefined : await changesSince(around.env, before);
    const files = mergeFiles(cwd, child.tally(), seen, ignored);
    const change = await recordOwnTree(context, row);
    // Heartbeats end only now: git may take longer than the silence that counts as a dead host.
    await beats.end();
    const { sandbox, hidden } = launch;
    const ending: AgentEnding = { child, exit, reason, timeoutMs, left: left.length, sandbox, hidden };
    return {
      outcome: outcomeOf(ending),
      change,
      exitCode: exit.code,
      reaped: left.length === 0,
      automatic: {
        summary: summaryOf(child.tally()),
        editedFiles: files.edited,
        createdFiles: files.created,
        errorMessage: reasonOf(context, prepared, ending, appeared),
      },
      tally: child.tally(),
    };
  } finally {
    clearTimeout(timer);
    log.close();
    // The file about leftovers stays until the row's end is recorded. If this host lost the agent, the process that
    // settles the row needs it.
    clearFolder(folder, [remainsFile]);
    deleteOldFolders(folder, context.now());
    await box?.close();
  }
}

/** Prepares the start, in a sandbox if it has one. Throws if the sandbox it needs, or its hook, is unavailable. */
async function launchIn(
  context: FleetContext,
  box: SandboxSession | undefined,
  prepared: PreparedAgent,
  claimed: ClaimedAgent,
  where: { readonly cwd: string; readonly tree: string; readonly env: Environment },
): Promise<Launch> {
  const { program, invocation, env, cli } = prepared;
  const { id, row, spec } = claimed;
  const { cwd, tree } = where;
  const unasked = await findHookObstacle(context, prepared, claimed, where);
  if (unasked !== undefined) throw new Error(context.say(unasked));
  const start = { line: [program, ...invocation.args], tree, cwd, env };
  if (box === undefined) return bareLaunch(start);
  // A sandbox would start and then report a missing program in its own words.
  if (findProgram(program, env['PATH'] ?? '', cwd) === undefined)
    throw new Error(context.say(notInstalledReason(context, program, cli)));
  const readOnly = spec.permissions === 'read';
  const launch = await box.confine({ ...start, readOnly, client: cli.id, session: box.folder });
  if ('refused' in launch) throw new Error(context.say(phrase.agentNoSandbox({ reason: context.say(launch.refused) })));
  const ring = { ring: box.ring, sandbox: launch.sandbox, allow: spec.sandbox.allow };
  await context.store.commit([], [entryFor(context, row, id, 'agent.confined', ring)]);
  // Our own variables are added by name; the sandbox removed all inherited ones.
  return { ...launch, env: { ...launch.env, ...invocation.env, [agentMarker]: id } };
}

/** Files that a sandbox keeps agents from creating. They do not count as an agent's work. */
function placeholderFiles(tree: string): readonly string[] {
  return agents.flatMap(({ places }) => Object.keys(places?.project.files ?? {})).map((path) => join(tree, path));
}

async function isCancelled(context: FleetContext, id: string): Promise<boolean> {
  const row = await readAgent(context, id).catch(() => undefined);
  return row !== undefined && row['cancel_at'] !== null;
}

function waitAtMost(promise: Promise<unknown>, ms: number): Promise<unknown> {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms))]);
}

const giveUpMs = 10 * 60 * 1000;

/** Records the end, and retries while the database is unavailable: an unrecorded end would look like a dead host. */
async function record(context: FleetContext, claimed: ClaimedAgent, end: HostResult): Promise<void> {
  const deadline = performance.now() + giveUpMs;
  let pause = 50;
  for (;;) {
    try {
      return await retry(
        () => recordOnce(context, claimed, end),
        () => kernelProblem.STORE_BUSY({ what: claimed.id }),
      );
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 5000);
    }
  }
}

async function recordOnce(context: FleetContext, claimed: ClaimedAgent, end: HostResult): Promise<void | typeof again> {
  const row = await readAgent(context, claimed.id);
  if (row === undefined || row['host'] !== claimed.nonce || row['status'] !== 'running') return undefined;
  const { writes, entries } = await endAgent(context, row, end);
  const progress = {
    sql: `update fleet_agent set ${progressColumns} where id = :id`,
    args: { id: claimed.id, ...progressOf(end.tally) },
  };
  return (await context.store.commit([...writes, progress], entries)).done ? undefined : again;
}
