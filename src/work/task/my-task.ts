import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { isProblem } from '../../kernel/problem.ts';
import type { Entry, Write } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { type UnplacedRun, placeRunWrites } from '../../gate/index.ts';
import { startExecution } from '../session/executions.ts';
import { type WorkSession, holdRun } from '../session/sessions.ts';
import { moveTask } from './status.ts';
import { findNextTask } from './next-task.ts';
import { type Task, selectTasks, toTask } from './task.ts';
import { type Change, changeWrites, findTask, taskExistsWrite } from './tasks.ts';

export interface Choice {
  readonly task: Task;
  /** The change that starts the task; undefined if it needs none. */
  readonly change?: Change;
}

/**
 * Chooses the session's task, else the one for which its host was started, else the next one. An agent that a person
 * started may also get a task that waits for a person.
 */
export async function chooseTask(context: Context, session: WorkSession): Promise<Choice | undefined> {
  const { agentId: agent } = session;
  const current = session.taskId === null ? undefined : await findTask(context, session.taskId);
  if (current?.status === 'in_progress' && current.assigneeId === agent) return { task: current };
  const reserved = session.claim === null ? undefined : await reservedTask(context, session.claim);
  if (session.claim !== null && reserved === undefined) return undefined;
  const failed = new Set<string>();
  for (;;) {
    const task = reserved ?? (await nextTask(context, session, failed));
    if (task === undefined || failed.has(task.id)) return undefined;
    if (task.status === 'in_progress' && task.assigneeId === null)
      return { task, change: { fields: { assigneeId: agent, session: session.hash } } };
    if (task.status !== 'todo') return { task };
    const change = await begin(context, task, session);
    if (change !== undefined) return { task, change };
    failed.add(task.id);
  }
}

async function nextTask(
  context: Context,
  { agentId, projectId }: WorkSession,
  skipped: ReadonlySet<string>,
): Promise<Task | undefined> {
  const { task, waits } = await findNextTask(context, agentId, projectId, skipped);
  return waits.find((one) => one.for !== 'tree' && one.task.status !== 'todo')?.task ?? task;
}

/** The task for which an instance was started, if it may still have it. */
async function reservedTask(context: Context, claim: string): Promise<Task | undefined> {
  const [[row] = []] = await context.store.read([
    {
      sql: `${selectTasks} join work_assignment c on c.claim_task = t.id join work_project p on p.id = t.project_id
        where c.claim = :claim and t.status in ('todo', 'in_progress', 'blocked')
          and (t.assignee_id = c.agent_id or (t.assignee_id is null and p.pool = 1) or exists (
            select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id = c.agent_id))`,
      args: { claim, now: context.now().toISOString() },
    },
  ]);
  return row === undefined ? undefined : toTask(row);
}

/** Undefined if the task cannot start after all: a dependency was reopened or its process is broken. */
async function begin(context: Context, task: Task, session: WorkSession): Promise<Change | undefined> {
  try {
    const change = await moveTask(context, task, { to: 'in_progress', session: session.hash });
    // A task of the pool belongs to the agent that takes it.
    return { ...change, fields: { ...change.fields, assigneeId: session.agentId } };
  } catch (error) {
    if (!isProblem(error)) throw error;
    context.log.warn('a task could not be started', { task: task.id, code: error.code });
    return undefined;
  }
}

/** The writes of taking a task; none if the session has it. `another` starts a further execution. */
export async function takeWrites(
  context: Context,
  session: WorkSession,
  choice: Choice,
  another = false,
): Promise<{ writes: Write[]; entries: Entry[] }> {
  const { task, change } = choice;
  const mine = (change?.fields.assigneeId ?? task.assigneeId) === session.agentId;
  const run = change?.fields.runId ?? task.runId;
  const writes: Write[] = [];
  const entries: Entry[] = [];
  if (change !== undefined) {
    const moved = changeWrites(context, task, change);
    writes.push(...moved.writes);
    entries.push(...moved.entries);
  } else if (mine && task.status === 'in_progress' && task.session !== session.hash) {
    writes.push({
      // A task that is taken again has to be reported again.
      sql: `update work_task set session = :hash, reported = null where id = :task and assignee_id = :agent and status = 'in_progress'`,
      args: { hash: session.hash, task: task.id, agent: session.agentId },
      rows: 1,
    });
    entries.push(entry(context, task.id, 'task.claimed', { agent: session.agentId }));
  }
  // A task that was only handed over is not taken yet.
  const placing = mine ? await placeTaskRun(context, change?.startedRun ?? run) : nothingPlaced;
  writes.push(...placing.writes);
  entries.push(...placing.entries);
  if (session.taskId !== task.id) {
    writes.push(
      {
        sql: 'update work_session set task_id = :task where hash = :hash and ended_at is null',
        args: { hash: session.hash, task: task.id },
        rows: 1,
      },
      ...holdRun(context, session, run),
    );
    entries.push(entry(context, session.agentId, 'session.task', { project: session.projectId, task: task.id }));
  }
  if (session.executionId === null || another) {
    const { id, write } = startExecution(context, session, task.id);
    writes.push(taskExistsWrite(task.id), write, {
      sql: `update work_session set execution_id = :execution where hash = :hash and ${session.executionId === null ? 'execution_id is null' : 'execution_id = :before'}`,
      args: { hash: session.hash, execution: id, ...(session.executionId !== null && { before: session.executionId }) },
      rows: 1,
    });
    entries.push(entry(context, id, 'execution.started', { task: task.id, agent: session.agentId }));
  }
  return { writes, entries };
}

const nothingPlaced: Awaited<ReturnType<typeof placeRunWrites>> = { writes: [], entries: [] };

/** Gives the task's run the tree of the agent that takes the task first. */
async function placeTaskRun(context: Context, run: UnplacedRun | string | null) {
  return run === null ? nothingPlaced : placeRunWrites(context, run);
}

type LiveSession = Pick<WorkSession, 'hash' | 'agentId' | 'projectId' | 'connection'>;

/** Finds the live session of a pair. */
export async function liveSession(context: Context, agent: string, project: string): Promise<LiveSession | undefined> {
  const [[row] = []] = await context.store.read([
    {
      sql: `select s.hash as hash, s.connection as connection from work_assignment a join work_session s on s.hash = a.session
        where a.agent_id = :agent and a.project_id = :project and a.session_expires_at > :now`,
      args: { agent, project, now: context.now().toISOString() },
    },
  ]);
  if (row === undefined) return undefined;
  return { hash: text(row, 'hash'), agentId: agent, projectId: project, connection: optional(row, 'connection') };
}

/** The writes and entries that make a task, with its run, the current one of a live session, after its change. */
export async function enterTaskWrites(
  context: Context,
  session: LiveSession,
  task: Pick<Task, 'id' | 'runId'>,
  change: Change,
): Promise<{ readonly writes: readonly Write[]; readonly entries: readonly Entry[] }> {
  const { hash } = session;
  const runId = change.fields.runId ?? task.runId;
  // A person can accept for an agent, but the run's files are the agent's.
  const placing = context.actor.person ? nothingPlaced : await placeTaskRun(context, change.startedRun ?? runId);
  return {
    writes: [
      { sql: 'update work_session set task_id = :task where hash = :hash', args: { task: task.id, hash } },
      ...placing.writes,
      ...holdRun(context, session, runId),
    ],
    entries: placing.entries,
  };
}
