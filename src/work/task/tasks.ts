import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Entry, Query, Write } from '../../kernel/store/store.ts';
import { withdrawHandoffs } from './handoffs.ts';
import { type Task, priorities, selectTasks, toTask } from './task.ts';
import type { Seen } from './plan.ts';
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

/** In this order. */
export async function readTasks(context: Context, ids: readonly string[]): Promise<readonly Task[]> {
  const found = await context.store.read(ids.map((id) => taskQuery(context, id)));
  return ids.map((id, index) => {
    const [row] = found[index] ?? [];
    if (row === undefined) throw problem.TASK_NOT_FOUND({ task_id: id });
    return toTask(row);
  });
}

/** What of a task can change, under the names that its history has, and where it is kept. */
const columns = {
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
} as const satisfies Partial<Record<keyof Task, string>>;

type Kept = keyof typeof columns;

export type Fields = Pick<Task, Kept | 'dependsOn'>;

export interface Change {
  readonly fields: Partial<Fields>;
  /** Committed together with it. */
  readonly writes?: readonly Write[];
  readonly entries?: readonly Entry[];
  /** What of the plan it was decided by. */
  readonly seen?: Seen;
  /** What the journal says beside the fields. */
  readonly note?: Readonly<Record<string, unknown>>;
}

/** Not worth a line in the history: who works on it is told by the sessions. */
const untold = ['session', 'startedAt', 'completedAt'];

function columnValue(field: Kept, value: unknown): string | number | null {
  if (field === 'priority') return priorities.indexOf(value as Task['priority']);
  if (field === 'labels' || field === 'acceptance') return JSON.stringify(value);
  return value as string | null;
}

/** What the change of a task commits by itself. Whoever changed it since it was read makes this a conflict. */
export function changeWrites(context: Context, task: Task, change: Change): { writes: Write[]; entries: Entry[] } {
  const at = context.now().toISOString();
  const changed = Object.entries(change.fields).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(task[field as keyof Fields]),
  ) as [keyof Fields, unknown][];
  const simple = changed.filter((one): one is [Kept, unknown] => one[0] !== 'dependsOn');
  const assigns = changed.some(([field]) => field === 'assigneeId');
  const sets = simple.map(([field]) => `${columns[field]} = :${field}`);
  const values = Object.fromEntries(simple.map(([field, value]) => [field, columnValue(field, value)]));
  const depends = change.fields.dependsOn;
  const writes: Write[] = [
    {
      sql: `update work_task set ${[...sets, ...(assigns ? ['assigned_at = :at'] : []), 'updated_at = :at', 'revision = revision + 1'].join(', ')}
        where id = :id and revision = :revision and coalesce(session, '') = :seen`,
      // A claim changes no revision, and whoever decided without it must look again.
      args: { ...values, id: task.id, revision: task.revision, seen: task.session ?? '', at },
      rows: 1,
    },
    ...(depends === undefined
      ? []
      : [
          { sql: 'delete from work_dependency where task_id = :id', args: { id: task.id } },
          ...depends.map((other) => dependencyWrite(task.id, other)),
        ]),
    ...(change.writes ?? []),
    // Behind them: the one that is accepted is pending no more.
    ...(assigns ? [withdrawHandoffs(task.id)] : []),
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

/** A task as it is made, or as it comes from another store. */
export type NewTask = Pick<Task, 'id' | 'projectId'> &
  Omit<Fields, 'session'> & {
    readonly assignedAt: string | null;
    readonly createdAt: string;
    readonly updatedAt: string;
  };

/** New tasks, in this order. An id that is taken makes this a conflict. */
export function insertTasks(context: Context, tasks: readonly NewTask[]): readonly Write[] {
  const fields = (Object.keys(columns) as Kept[]).filter((field) => field !== 'session' && field !== 'parentId');
  const names = fields.map((field) => columns[field]).join(', ');
  const inserts = tasks.map((task) => ({
    sql: `insert into work_task (id, ord, project_id, revision, assigned_at, created_at, updated_at, ${names})
      values (:id, :ord, :project, 1, :assigned, :created, :updated, ${fields.map((field) => `:${field}`).join(', ')})`,
    args: {
      ...Object.fromEntries(fields.map((field) => [field, columnValue(field, task[field as keyof NewTask])])),
      id: task.id,
      ord: context.newId(''),
      project: task.projectId,
      assigned: task.assignedAt,
      created: task.createdAt,
      updated: task.updatedAt,
    },
    rows: 1,
  }));
  // Afterwards: each may name one that comes later in the list.
  return [...inserts, ...tasks.flatMap(relationWrites)];
}

function relationWrites({ id, parentId, dependsOn }: NewTask): readonly Write[] {
  const parent = { sql: 'update work_task set parent_id = :parent where id = :id', args: { id, parent: parentId } };
  return [...(parentId === null ? [] : [parent]), ...dependsOn.map((other) => dependencyWrite(id, other))];
}

function dependencyWrite(id: string, other: string): Write {
  return {
    sql: 'insert into work_dependency (task_id, depends_on) values (:id, :other) on conflict (task_id, depends_on) do nothing',
    args: { id, other },
  };
}

/** Makes it a conflict where the task was deleted since it was read, for a commit that only adds to it. */
export function taskExistsWrite(id: string): Write {
  return { sql: 'update work_task set revision = revision where id = :id', args: { id }, rows: 1 };
}

/** The same, and where a session took or left the task since. A claim changes no revision. */
export function sameHolder({ id, session }: Task): Write {
  return {
    sql: `update work_task set revision = revision where id = :id and coalesce(session, '') = :seen`,
    args: { id, seen: session ?? '' },
    rows: 1,
  };
}

function snake(field: string): string {
  return field.replaceAll(/([A-Z])/g, '_$1').toLowerCase();
}
