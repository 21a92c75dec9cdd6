import type { Context } from '../../kernel/context.ts';
import { isProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Entry, Query, Write } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import type { AfterAbort, AfterFinal } from '../../gate/ports.ts';
import { withdrawHandoffs } from './handoffs.ts';
import { phrase, problem } from '../problem.ts';
import { type SeenPlans, noPlans, planWrites } from './plan.ts';
import { beginTask } from './status.ts';
import { type Task, idList, isClosed, selectTasks, toTask } from './task.ts';
import { type Change, changeWrites, readTask } from './tasks.ts';

export interface Step {
  readonly task: Task;
  readonly change: Change;
}

export interface Batch {
  readonly writes: readonly Write[];
  readonly entries: readonly Entry[];
}

/** Commits a batch; an empty one commits nothing. False after a conflict. */
export async function commitBatch(context: Context, { writes, entries }: Batch): Promise<boolean> {
  const [first, ...rest] = entries;
  return first === undefined || (await context.store.commit(writes, [first, ...rest])).done;
}

/** The writes and entries of these changes, including the tasks that start automatically because of them. */
export async function buildBatch(context: Context, steps: readonly Step[]): Promise<Batch> {
  const closing = steps.filter(
    ({ task, change }) =>
      change.fields.status !== undefined && isClosed(change.fields.status) && !isClosed(task.status),
  );
  const next = closing.length === 0 ? { steps: [], seen: noPlans } : await startNext(context, closing, steps);
  const parts = [...steps, ...next.steps].map(({ task, change }) => changeWrites(context, task, change));
  const seen = steps.flatMap(({ change }) => change.seen ?? []);
  return {
    writes: [...planWrites(...seen, next.seen), ...parts.flatMap((one) => one.writes)],
    entries: parts.flatMap((one) => one.entries),
  };
}

/**
 * Starts the assigned tasks of projects with `auto_start` that waited only for the closing tasks. Two commits that close two
 * dependencies at once would each see the other one open, so the commit checks the project's plan even if nothing starts.
 */
async function startNext(
  context: Context,
  closing: readonly Step[],
  changing: readonly Step[],
): Promise<{ readonly steps: readonly Step[]; readonly seen: SeenPlans }> {
  const ids = closing.map(({ task }) => task.id);
  const [projects = [], rows = []] = await context.store.read([
    waitingProjects(ids),
    waitingTasks(ids, context.now().toISOString()),
  ]);
  const busy = new Set(changing.map(({ task }) => task.id));
  const steps: Step[] = [];
  for (const task of rows.map(toTask).filter((one) => !busy.has(one.id))) {
    try {
      steps.push({ task, change: await beginTask(context, task, null, { auto_start: true }) });
    } catch (error) {
      if (!isProblem(error)) throw error;
      // A task with a broken process must not prevent the closing of the tasks before it.
      context.log.warn('a task could not be started', { task: task.id, code: error.code });
    }
  }
  return { steps, seen: new Map(projects.map((row) => [text(row, 'id'), Number(row['plan'])])) };
}

function waitingProjects(ids: readonly string[]): Query {
  const { sql: list, args } = idList(ids);
  return {
    sql: `select p.id as id, p.plan as plan from work_project p where p.auto_start = 1 and p.id in (
      select t.project_id from work_dependency d join work_task t on t.id = d.task_id
      where d.depends_on in (${list}) and t.status not in ('done', 'cancelled'))`,
    args,
  };
}

function waitingTasks(ids: readonly string[], now: string): Query {
  const { sql: list, args } = idList(ids);
  return {
    sql: `${selectTasks} join work_project p on p.id = t.project_id
      where p.auto_start = 1 and t.status = 'todo' and t.assignee_id is not null
        and t.id in (select d.task_id from work_dependency d where d.depends_on in (${list}))
        and not exists (select 1 from work_dependency d join work_task o on o.id = d.depends_on
          where d.task_id = t.id and o.status not in ('done', 'cancelled') and o.id not in (${list}))
      order by t.priority, t.ord`,
    args: { ...args, now },
  };
}

/** Reads a task, lets `decide` choose the change and commits it; retries after a conflict. Returns the changed task. */
export async function changeTask(
  context: Context,
  id: string,
  decide: (task: Task) => Promise<Change>,
  expected?: number,
): Promise<Task> {
  const conflict = ({ revision }: Task) =>
    problem.TASK_CONFLICT({ task_id: id, expected, current: revision }, { current_revision: revision });
  return retry(
    async () => {
      const task = await readTask(context, id);
      if (expected !== undefined && task.revision !== expected) throw conflict(task);
      const batch = await buildBatch(context, [{ task, change: await decide(task) }]);
      return (await commitBatch(context, batch)) ? readTask(context, id) : again;
    },
    async () => conflict(await readTask(context, id)),
  );
}

/** Blocks the open tasks of an aborted run, also blocked ones: a concurrent retry then gets a conflict. */
export const blockTasks: AfterAbort = async (context, { id, reason }) => {
  const [rows = []] = await context.store.read([
    {
      sql: `${selectTasks} where t.run_id = :run and t.status not in ('done', 'cancelled')`,
      args: { run: id, now: context.now().toISOString() },
    },
  ]);
  const why = context.say(phrase.runAborted({ reason }));
  const fields = { status: 'blocked', session: null, reported: null, summary: why } as const;
  const change = { fields, note: { reason: why, run: id } };
  return buildBatch(
    context,
    rows.map((row) => ({ task: toTask(row), change })),
  );
};

/** Closes the tasks whose agents have reported success, now that an answer has completed their run. */
export const closeReportedTasks: AfterFinal = async (context, runId) => {
  const [rows = []] = await context.store.read([
    {
      sql: `${selectTasks} where t.run_id = :run and t.reported = 'success' and t.status = 'in_progress'`,
      args: { run: runId, now: context.now().toISOString() },
    },
  ]);
  const completedAt = context.now().toISOString();
  const fields = { status: 'done', session: null, reported: null, attempts: 0, completedAt } as const;
  return buildBatch(
    context,
    rows.map((row) => {
      const task = toTask(row);
      return { task, change: { fields, writes: [withdrawHandoffs(task.id)], note: { run: runId, reported: true } } };
    }),
  );
};
