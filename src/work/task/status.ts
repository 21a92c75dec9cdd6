import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import {
  type Definition,
  type StartedRun,
  findDefinition,
  holdInsteadWrite,
  readRunPosition,
  runStatusOf,
  runPositionQuery,
  startRun,
} from '../../gate/index.ts';
import { withdrawHandoffs } from './handoffs.ts';
import { type Status, type Task, idList, isClosed, moves } from './task.ts';
import type { Change, NewTask } from './tasks.ts';
import { problem, refusal } from '../problem.ts';

export interface TaskMove {
  readonly to: Status;
  /** The session that starts the task; undefined if no session does. */
  readonly session?: string;
  /** Closes the task although its process is not over; for people only. */
  readonly force?: boolean;
  readonly reason?: string;
}

/** Returns the change that moves a task. Throws if `moves`, an open dependency or the process forbids it. */
export async function moveTask(context: Context, task: Task, wish: TaskMove): Promise<Change> {
  const { to } = wish;
  const possible = moves[task.status];
  if (!possible.includes(to))
    throw problem.INVALID_TRANSITION({ task_id: task.id, from: task.status, to, possible }, { possible });
  const note = wish.reason === undefined ? {} : { reason: wish.reason };
  if (to === 'in_progress') {
    const open = await openDependencies(context, task);
    if (open.length > 0) throw problem.DEPENDENCIES_OPEN({ task_id: task.id, open }, { open_dependencies: open });
    return beginTask(context, task, wish.session ?? null, note);
  }
  const forced = to === 'done' ? await finish(context, task, wish) : {};
  return {
    fields: {
      status: to,
      session: null,
      reported: null,
      ...(isClosed(to) && { attempts: 0, completedAt: context.now().toISOString() }),
    },
    ...(isClosed(to) && { writes: [withdrawHandoffs(task.id)] }),
    note: { ...note, ...forced },
  };
}

/** Returns the change that starts a task. The caller has checked its dependencies. */
export async function beginTask(
  context: Context,
  task: Task,
  session: string | null,
  note: Readonly<Record<string, unknown>>,
): Promise<Change> {
  const run = await startProcess(context, task);
  return {
    fields: {
      status: 'in_progress',
      session,
      // A person who starts a blocked task gives it new attempts.
      ...(task.status === 'blocked' && { attempts: 0, failure: null }),
      startedAt: task.startedAt ?? context.now().toISOString(),
      ...(run !== undefined && { runId: run.id }),
      // The summary is the reason why the previous run was aborted.
      ...(run !== undefined && task.runId !== null && { summary: null }),
    },
    ...(run !== undefined && { writes: run.writes, entries: [run.entry], startedRun: run.unplaced }),
    note,
  };
}

/** Lists the open ones of the given dependencies: an edit may change them together with the state. */
export async function openDependencies(
  context: Context,
  { dependsOn }: Pick<Task, 'dependsOn'>,
): Promise<readonly string[]> {
  if (dependsOn.length === 0) return [];
  const { sql: list, args } = idList(dependsOn);
  const open = `select id from work_task where id in (${list}) and status not in ('done', 'cancelled') order by ord`;
  const [rows = []] = await context.store.read([{ sql: open, args }]);
  return rows.map((row) => text(row, 'id'));
}

/**
 * Starts a run of the task's process, with the task in its context. Undefined if the task has a run that is not aborted: that
 * one continues, even with another agent.
 */
export async function startProcess(
  context: Context,
  task: Omit<NewTask, 'dependsOn'>,
): Promise<Pick<StartedRun, 'id' | 'unplaced' | 'writes' | 'entry'> | undefined> {
  const { runId: before } = task;
  if (task.processId === null || (before !== null && !(await isAborted(context, before)))) return undefined;
  const { definition, digest, file } = await findDefinition(context, task.processId);
  const started = await startRun(context, {
    definition,
    digest,
    file,
    context: {
      task: {
        task_id: task.id,
        project_id: task.projectId,
        title: task.title,
        description: task.description,
        acceptance: task.acceptance,
        assignee_id: task.assigneeId,
      },
      ...goalOf(definition, task),
    },
    binds: 'nobody',
    // Its files are those of the first agent that takes the task, not of the caller that starts it.
    tree: 'later',
  });
  return before === null ? started : { ...started, writes: [...started.writes, holdInsteadWrite(before, started.id)] };
}

async function isAborted(context: Context, runId: string): Promise<boolean> {
  const [[row] = []] = await context.store.read([runPositionQuery({ sql: ':run', args: { run: runId } })]);
  return row !== undefined && runStatusOf(row) === 'aborted';
}

/** The `goal` in the context of the run: the task's title, unless the process has a goal of its own. */
function goalOf({ initial_context: given, context_schema: schema }: Definition, { title }: Pick<Task, 'title'>) {
  const takes = 'goal' in given ? given['goal'] === '' || given['goal'] === null : schema === undefined;
  return takes ? { goal: title } : {};
}

/** Checks that a task may become `done`; every path to `done` calls it. Returns further data for the journal entry. */
async function finish(context: Context, task: Task, wish: TaskMove): Promise<Readonly<Record<string, unknown>>> {
  if (task.processId === null) return {};
  const position = task.runId === null ? undefined : await readRunPosition(context, task.runId);
  if (position?.status === 'completed') return { run: task.runId };
  if (wish.force === true) {
    if (!context.actor.person) throw refusal.force();
    return { forced: true, run: task.runId, missing: position?.missing_guards ?? [] };
  }
  throw problem.PROCESS_INCOMPLETE(
    {
      task_id: task.id,
      process_id: task.processId,
      run_id: position?.run_id,
      state: position?.current_state,
      missing: position?.missing_guards ?? [],
      events: position?.possible_events ?? [],
    },
    {
      process_id: task.processId,
      run_id: position?.run_id ?? null,
      current_state: position?.current_state ?? null,
      missing_guards: position?.missing_guards ?? [],
      possible_events: position?.possible_events ?? [],
    },
  );
}
