import { fleetContext, launchHost } from '../fleet-context.ts';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { sandboxPort } from '../../sandbox/port.ts';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { Problem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Entry, Row, Write } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import {
  type PlannedChange,
  agentOwner,
  changeSettings,
  findParent,
  planChange,
  whyNoTree,
} from '../../change/index.ts';
import { findGuardedRun, holdersOf, readBoundRuns, runPositionQuery } from '../../gate/index.ts';
import { shutInPort } from '../../gate/ports.ts';
import { liveQuery } from '../agent-rows.ts';
import { capacityQuery, capacityWrites } from './capacity.ts';
import { requireRole } from '../role/health.ts';
import { agentIdFor, insertAgent } from './insert-agent.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import type { Role } from '../role/roles.ts';
import { refusePaused } from './pause.ts';
import { settle } from './settle.ts';
import { takeSnapshot } from '../host/snapshot.ts';
import type { Spec } from '../host/spec.ts';
import { phrase, problem } from '../problem.ts';
import { fleetSettings, type settings } from '../settings.ts';
import type { SettingValues } from '../../kernel/setting.ts';

type Fleet = SettingValues<typeof settings.tree.fleet>;

/** One requested agent. */
export interface Task {
  readonly role: string;
  readonly prompt: string;
  readonly workingDirectory?: string | undefined;
  readonly timeout_ms?: number | undefined;
}

export interface Submission {
  readonly groupId: string;
  readonly mode: 'concurrent' | 'sequential';
  /** A single stage if all agents start at once. */
  readonly stages: readonly (readonly Task[])[];
  readonly onFailure: 'stop' | 'continue';
}

export interface Submitted {
  readonly agentId: string;
  readonly groupId: string;
  readonly role: string;
  readonly model: string;
  readonly status: 'queued';
  readonly stageIndex: number;
  /** Whether it works in a tree of its own. */
  readonly ownTree: boolean;
}

/** Records every agent in one commit, then starts the first stage. `settle` starts hosts that this could not. */
export async function submit(context: Context, submission: Submission): Promise<readonly Submitted[]> {
  await refusePaused(context);
  const { fleet } = await fleetSettings(context);
  const starter = await readStarter(context);
  const tasks = await checkTasks(context, fleet, submission, starter);
  await settle(fleetContext(context)); // Agents whose host died must not use capacity.
  const submitted = await retry(
    async () => {
      const group = await checkGroup(context, submission);
      const claim = await claimRoom(context, fleet, submission);
      const { writes, entries, agents } = await insertions(context, fleet, submission, tasks, group, starter);
      const outcome = await context.store.commit([...claim, ...writes], entries);
      return outcome.done ? agents : again; // An id was taken, or another process committed first: try again.
    },
    () => startFailed(submission.mode, context.say(phrase.groupContended())),
    `fleet ${context.project.key}`,
  );
  const first = submitted.filter((one) => one.stageIndex === 0);
  await Promise.all(first.map((one) => launch(context, one.agentId)));
  return submitted;
}

/** Tells which files the agents that were started do not have: trees start at a commit. */
export async function startNotes(context: Context, started: readonly Submitted[]): Promise<{ notes?: string[] }> {
  if (!started.some((one) => one.ownTree)) return {};
  const snapshot = await takeSnapshot(context.environment, context.project.tree);
  const files = snapshot?.files.size ?? 0;
  return files === 0 ? {} : { notes: [context.say(phrase.uncommitted({ files }))] };
}

/** Starts a host. If that fails, the next `settle` starts it. */
export async function launch(
  context: Context,
  agentId: string,
  secrets?: Readonly<Record<string, string>>,
): Promise<void> {
  await launchHost(context, agentId, secrets).catch((error: unknown) => {
    context.log.error('host not started', { agent: agentId, reason: String(error) });
  });
}

/** Restrictions of the caller that requests agents; its agents inherit them. */
interface Starter {
  readonly boundBy: readonly string[];
  readonly confined: boolean;
}

async function readStarter(context: Context): Promise<Starter> {
  const { store, project, actor, runId } = context;
  const bound = actor.person ? [] : await readBoundRuns(store, project, holdersOf(context));
  // A named run can only add a restriction.
  const [named = []] =
    runId === undefined ? [] : await store.read([runPositionQuery({ sql: ':run', args: { run: runId } })]);
  const confined = !actor.person && (await shutInPort.of(context)(context)) !== undefined;
  return { boundBy: [...new Set([...named.map((row) => text(row, 'id')), ...bound.map((one) => one.id)])], confined };
}

interface CheckedTask extends Task {
  readonly role: string;
  readonly definition: Role;
  readonly folder: string;
  /** Whether it works in a tree of its own. */
  readonly ownTree: boolean;
}

async function checkTasks(
  context: Context,
  fleet: Fleet,
  { mode, stages }: Submission,
  { confined, boundBy }: Starter,
): Promise<readonly (readonly CheckedTask[])[]> {
  const checked: CheckedTask[][] = [];
  const guarded = await findGuardedRun(context);
  // While a run compares the files here, only agents of that run may edit them.
  const isTaken = guarded !== undefined && !boundBy.includes(guarded);
  for (const stage of stages) {
    const tasks: CheckedTask[] = [];
    for (const task of stage) {
      const definition = await requireRole(context, task.role);
      if (confined && definition.sandbox === 'off')
        throw startFailed(mode, context.say(phrase.groupUnconfined({ role: task.role })));
      const folder = resolve(context.project.tree, task.workingDirectory ?? '.');
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
        throw startFailed(mode, context.say(phrase.groupNoFolder({ path: folder })));
      const wantsTree = (definition.isolation ?? fleet.isolation) === 'worktree';
      const ownTree = wantsTree || (isTaken && definition.permissions !== 'read');
      const why = ownTree ? await whyNoTree(context, folder) : undefined;
      if (why !== undefined)
        throw startFailed(mode, context.say(wantsTree ? why : phrase.groupTreeTaken({ run: guarded ?? '', why })));
      tasks.push({ ...task, definition, folder, ownTree });
    }
    checked.push(tasks);
  }
  return checked;
}

function startFailed(mode: Submission['mode'], reason: string): Problem {
  return mode === 'concurrent' ? problem.AGENTS_START_FAILED({ reason }) : problem.SEQUENTIAL_START_FAILED({ reason });
}

export async function readGroup(context: Pick<Context, 'store' | 'say'>, groupId: string): Promise<Row> {
  const [rows = []] = await context.store.read([
    { sql: 'select * from fleet_group where id = :id', args: { id: groupId } },
  ]);
  const row = rows[0];
  if (row === undefined) throw problem.GROUP_NOT_FOUND({ groupId }, { next_step: context.say(phrase.makeGroup()) });
  return row;
}

/** Checks that the group exists, is active, and has this mode or none yet. */
export async function checkGroup(
  context: Context,
  { groupId, mode }: Pick<Submission, 'groupId' | 'mode'>,
): Promise<Row> {
  const group = await readGroup(context, groupId);
  if (group['status'] !== 'active') throw problem.GROUP_NOT_ACTIVE({ groupId });
  const fixed = optional(group, 'mode');
  if (fixed !== null && fixed !== mode) throw problem.MODE_MISMATCH({ groupId, mode: fixed, wanted: mode });
  if (mode === 'sequential') {
    const [plans = []] = await context.store.read([
      { sql: `select id from fleet_plan where group_id = :id and status = 'running'`, args: { id: groupId } },
    ]);
    if (plans.length > 0) throw startFailed(mode, context.say(phrase.groupPlanRunning({ groupId })));
  }
  return group;
}

async function claimRoom(
  context: Context,
  { maxConcurrent: max }: Fleet,
  { stages }: Submission,
): Promise<readonly Write[]> {
  const project = context.project.key;
  const [[counted] = [], [capacity] = []] = await context.store.read([liveQuery(project), capacityQuery(project)]);
  const live = Number(counted?.['live']);
  const wanted = Math.max(...stages.map((one) => one.length));
  if (live + wanted > max) throw problem.MAX_CONCURRENT_REACHED({ live, wanted, max });
  return capacityWrites(project, capacity);
}

async function insertions(
  context: Context,
  fleet: Fleet,
  submission: Submission,
  stages: readonly (readonly CheckedTask[])[],
  group: Row,
  starter: Starter,
): Promise<{
  readonly writes: readonly Write[];
  readonly entries: readonly [Entry, ...Entry[]];
  readonly agents: readonly Submitted[];
}> {
  const { groupId, mode, onFailure } = submission;
  const at = context.now().toISOString();
  const plan = mode === 'sequential' ? context.newId('plan-') : null;
  const writes: Write[] = [
    {
      sql: `update fleet_group set mode = :mode, revision = revision + 1
        where id = :id and revision = :revision and status = 'active'`,
      args: { id: groupId, mode, revision: Number(group['revision']) },
      rows: 1,
    },
  ];
  if (plan !== null)
    writes.push({
      sql: `insert into fleet_plan (id, group_id, project, machine, on_failure, room, stages, current, status, revision, created_at, moved_at)
        values (:id, :group, :project, :machine, :onFailure, :room, :stages, 0, 'running', 0, :at, :at)`,
      args: {
        id: plan,
        group: groupId,
        project: context.project.key,
        machine: thisMachine(),
        onFailure,
        room: fleet.maxConcurrent,
        stages: stages.length,
        at,
      },
      rows: 1,
    });
  const agents: Submitted[] = [];
  const opened: Entry[] = [];
  const parent = stages.flat().some((one) => one.ownTree) ? await findParent(context) : undefined;
  for (const [stageIndex, tasks] of stages.entries())
    for (const task of tasks) {
      const agentId = agentIdFor(context, task.role, new Set(agents.map((one) => one.agentId)));
      const { model } = task.definition;
      const planned = task.ownTree ? await planTree(context, agentId, task, parent) : undefined;
      if (planned !== undefined) writes.push(...planned.writes);
      opened.push(...(planned?.entries ?? []));
      agents.push({ agentId, groupId, role: task.role, model, status: 'queued', stageIndex, ownTree: task.ownTree });
      writes.push(
        insertAgent(context, {
          id: agentId,
          group: groupId,
          plan,
          stage: stageIndex,
          role: task.role,
          cli: task.definition.cli,
          model,
          prompt: task.prompt,
          folder: planned?.folder ?? task.folder,
          timeoutMs: task.timeout_ms ?? fleet.defaultTimeoutMs,
          started: stageIndex === 0,
          spec: specOf(context, task.definition, starter, planned),
          at,
        }),
      );
    }
  const created = agents.map((one) =>
    entry(context, one.agentId, 'agent.created', { group: groupId, role: one.role, stage: one.stageIndex, plan }),
  );
  return { writes, entries: [...created, ...opened] as [Entry, ...Entry[]], agents };
}

function planTree(
  context: Context,
  agentId: string,
  { prompt, folder }: CheckedTask,
  parent: Awaited<ReturnType<typeof findParent>>,
): Promise<PlannedChange> {
  const title = prompt.trim().split('\n', 1)[0] ?? agentId;
  return planChange(context, { owner: agentOwner(agentId), round: 1, title, folder, names: [agentId], parent });
}

function specOf(
  context: Context,
  role: Role,
  { boundBy, confined }: Starter,
  planned: PlannedChange | undefined,
): Spec {
  const sandbox = sandboxPort.of(context);
  return {
    permissions: role.permissions,
    toolsets: role.toolsets,
    actorRole: 'agent',
    ...(planned !== undefined && { change: planned.change.id, setup: changeSettings.of(context).worktree }),
    sandbox: { ...sandbox, mode: confined ? 'required' : (role.sandbox ?? sandbox.mode) },
    boundBy,
    place: context.project,
    ...(role.command !== undefined && { command: role.command.map((word) => fromRoot(word, context.project.root)) }),
    ...(role.systemPrompt !== undefined && { systemPrompt: role.systemPrompt }),
    ...(context.runId !== undefined && { runId: context.runId }),
  };
}

/** Resolves a path of the configuration from the project's root, wherever the agent works. */
function fromRoot(word: string, root: string): string {
  const path = resolve(root, word);
  const names = word.includes('/') || /\.\w+$/.test(word);
  return names && statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : word;
}
