import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { isProblem } from '../../kernel/problem.ts';
import type { Entry, Write } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { startExecution } from '../session/executions.ts';
import { pendingHandoffQuery } from './handoffs.ts';
import { inHand } from '../session/pairs.ts';
import { type WorkSession, holdRun } from '../session/sessions.ts';
import { moveTask } from './status.ts';
import { type Task, isReady, selectTasks, toTask } from './task.ts';
import { type Change, changeWrites, findTask, readTask, taskExistsWrite } from './tasks.ts';

export interface Choice {
  readonly task: Task;
  /** The change that starts the task; undefined if it needs none. */
  readonly change?: Change;
}

/** Chooses the session's task, else the oldest in progress, else one that was handed over, else the first that can start. */
export async function chooseTask(context: Context, session: WorkSession): Promise<Choice | undefined> {
  const { agentId: agent, projectId: project } = session;
  const current = session.taskId === null ? undefined : await findTask(context, session.taskId);
  if (current?.status === 'in_progress' && current.assigneeId === agent) return { task: current };
  const now = context.now().toISOString();
  const [[working] = [], [handed] = [], waiting = []] = await context.store.read([
    { sql: `${selectTasks} where ${inHand} order by t.started_at, t.ord limit 1`, args: { agent, project, now } },
    pendingHandoffQuery(agent, project),
    {
      sql: `${selectTasks} where t.assignee_id = :agent and t.project_id = :project and ${isReady}
        order by t.priority, t.ord limit 5`,
      args: { agent, project, now },
    },
  ]);
  if (working !== undefined) return { task: toTask(working) };
  if (handed !== undefined) return { task: await readTask(context, text(handed, 'task_id')) };
  for (const row of waiting) {
    const task = toTask(row);
    const change = await begin(context, task, session);
    if (change !== undefined) return { task, change };
  }
  return undefined;
}

/** Undefined if the task cannot start after all: a dependency was reopened or its process is broken. */
async function begin(context: Context, task: Task, session: WorkSession): Promise<Change | undefined> {
  try {
    return await moveTask(context, task, { to: 'in_progress', session: session.hash });
  } catch (error) {
    if (!isProblem(error)) throw error;
    context.log.warn('a task could not be started', { task: task.id, code: error.code });
    return undefined;
  }
}

/** The writes of taking a task; none if the session has it. `another` starts a further execution. */
export function takeWrites(
  context: Context,
  session: WorkSession,
  choice: Choice,
  another = false,
): { writes: Write[]; entries: Entry[] } {
  const { task, change } = choice;
  const mine = task.assigneeId === session.agentId;
  const run = change?.fields.runId ?? task.runId;
  const writes: Write[] = [];
  const entries: Entry[] = [];
  if (change !== undefined) {
    const moved = changeWrites(context, task, change);
    writes.push(...moved.writes);
    entries.push(...moved.entries);
  } else if (mine && task.status === 'in_progress' && task.session !== session.hash) {
    writes.push({
      sql: `update work_task set session = :hash where id = :task and assignee_id = :agent and status = 'in_progress'`,
      args: { hash: session.hash, task: task.id, agent: session.agentId },
      rows: 1,
    });
    entries.push(entry(context, task.id, 'task.claimed', { agent: session.agentId }));
  }
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

/** The writes that make a task, with its run, the current one of a live session. */
export function enterTaskWrites(
  context: Context,
  session: LiveSession,
  taskId: string,
  runId: string | null,
): readonly Write[] {
  const { hash } = session;
  return [
    { sql: 'update work_session set task_id = :task where hash = :hash', args: { task: taskId, hash } },
    ...holdRun(context, session, runId),
  ];
}
