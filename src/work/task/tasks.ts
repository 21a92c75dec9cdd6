import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/journal.ts';
import { again, retry } from '../../kernel/retry.ts';
import type { Entry, Query, Write } from '../../kernel/store.ts';
import type { Task } from './task.ts';
import { priorities, selectTasks, toTask } from './task.ts';
import { problem } from '../problem.ts';

export function taskQuery(context: Context, id: string): Query {
  return { sql: `${selectTasks} where t.id = :id`, args: { id, now: context.now().toISOString() } };
}

export async function findTask(context: Context, id: string): Promise<Task | undefined> {
  const [[row] = []] = await context.store.read([taskQuery(context, id)]);
  return row === undefined ? undefined : toTask(row);
}

export async function readTask(context: Context, id: string): Promise<Task> {
  const task = await findTask(context, id);
  if (task === undefined) throw problem.TASK_NOT_FOUND({ task_id: id });
  return task;
}

/** What of a task can change, under the names that its history has. */
export type Fields = Pick<
  Task,
  | 'title'
  | 'description'
  | 'status'
  | 'priority'
  | 'assigneeId'
  | 'parentId'
  | 'dependsOn'
  | 'labels'
  | 'acceptance'
  | 'processId'
  | 'runId'
  | 'session'
  | 'summary'
  | 'startedAt'
  | 'completedAt'
>;

export interface Change {
  readonly fields: Partial<Fields>;
  /** Committed together with it. */
  readonly writes?: readonly Write[];
  readonly entries?: readonly Entry[];
  /** What the journal says beside the fields. */
  readonly note?: Readonly<Record<string, unknown>>;
}

const columns: Readonly<Record<Exclude<keyof Fields, 'dependsOn'>, string>> = {
  title: 'title',
  description: 'description',
  status: 'status',
  priority: 'priority',
  assigneeId: 'assignee_id',
  parentId: 'parent_id',
  labels: 'labels',
  acceptance: 'acceptance',
  processId: 'process_id',
  runId: 'run_id',
  session: 'session',
  summary: 'summary',
  startedAt: 'started_at',
  completedAt: 'completed_at',
};

/** Not worth a line in the history: who works on it is told by the sessions. */
const untold = ['session', 'startedAt', 'completedAt'];

function columnValue(field: keyof Fields, value: unknown): string | number | null {
  if (field === 'priority') return priorities.indexOf(value as Task['priority']);
  if (field === 'labels' || field === 'acceptance') return JSON.stringify(value);
  return value as string | null;
}

/** What a change of a task commits. Whoever changed it since it was read makes this a conflict. */
export function changeWrites(context: Context, task: Task, change: Change): { writes: Write[]; entries: Entry[] } {
  const at = context.now().toISOString();
  const changed = Object.entries(change.fields).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(task[field as keyof Fields]),
  ) as [keyof Fields, unknown][];
  const simple = changed.filter(([field]) => field !== 'dependsOn');
  const assigns = changed.some(([field]) => field === 'assigneeId');
  const sets = simple.map(([field]) => `${columns[field as keyof typeof columns]} = :${field}`);
  const values = Object.fromEntries(simple.map(([field, value]) => [field, columnValue(field, value)]));
  const depends = change.fields.dependsOn;
  const writes: Write[] = [
    {
      sql: `update work_task set ${[...sets, ...(assigns ? ['assigned_at = :at'] : []), 'updated_at = :at', 'revision = revision + 1'].join(', ')}
        where id = :id and revision = :revision`,
      args: { ...values, id: task.id, revision: task.revision, at },
      rows: 1,
    },
    ...(depends === undefined
      ? []
      : [
          { sql: 'delete from work_dependency where task_id = :id', args: { id: task.id } },
          ...depends.map((other) => dependencyWrite(task.id, other)),
        ]),
    ...(change.writes ?? []),
  ];
  const told = Object.fromEntries(
    changed
      .filter(([field]) => !untold.includes(field))
      .map(([field, value]) => [snake(field), { from: task[field], to: value }]),
  );
  return {
    writes,
    entries: [
      entry(context, task.id, 'task.updated', { project: task.projectId, changes: told, ...change.note }),
      ...(change.entries ?? []),
    ],
  };
}

export function dependencyWrite(id: string, other: string): Write {
  return {
    sql: 'insert into work_dependency (task_id, depends_on) values (:id, :other) on conflict (task_id, depends_on) do nothing',
    args: { id, other },
  };
}

function snake(field: string): string {
  return field.replaceAll(/([A-Z])/g, '_$1').toLowerCase();
}

/** Reads the task, asks what to change, commits it; again where somebody else was faster. Returns the task as it is then. */
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
      const { writes, entries } = changeWrites(context, task, await decide(task));
      const outcome = await context.store.commit(writes, entries as [Entry, ...Entry[]]);
      return outcome.done ? readTask(context, id) : again;
    },
    async () => conflict(await readTask(context, id)),
  );
}
