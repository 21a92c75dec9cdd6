import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Entry, Query, Write } from '../../kernel/store/store.ts';
import type { UnplacedRun } from '../../gate/index.ts';
import { withdrawHandoffs } from './handoffs.ts';
import { numberFromCounter, takeNumbers } from './number.ts';
import { type Task, priorities, selectTasks, toTask } from './task.ts';
import type { SeenPlans } from './plan.ts';
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

/** Reads tasks in the order of the ids. */
export async function readTasks(context: Context, ids: readonly string[]): Promise<readonly Task[]> {
  const found = await context.store.read(ids.map((id) => taskQuery(context, id)));
  return ids.map((id, index) => {
    const [row] = found[index] ?? [];
    if (row === undefined) throw problem.TASK_NOT_FOUND({ task_id: id });
    return toTask(row);
  });
}

/** The fields of a task that can change, with their columns. The history shows them in snake case. */
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
  reported: 'reported',
  attempts: 'attempts',
  failure: 'failure',
  startedAt: 'started_at',
  completedAt: 'completed_at',
} as const satisfies Partial<Record<keyof Task, string>>;

type ColumnField = keyof typeof columns;

export type Fields = Pick<Task, ColumnField | 'dependsOn'>;

export interface Change {
  readonly fields: Partial<Fields>;
  /** Further writes of the same commit. */
  readonly writes?: readonly Write[];
  readonly entries?: readonly Entry[];
  /** The run that `writes` start. The caller places it if a session takes the task in the same commit. */
  readonly startedRun?: UnplacedRun | undefined;
  /** The plans that the decision read. */
  readonly seen?: SeenPlans;
  /** Further data for the journal entry. */
  readonly note?: Readonly<Record<string, unknown>>;
}

/** Fields that the history leaves out: the sessions' entries say who works on the task and when. */
const omittedInHistory = ['session', 'startedAt', 'completedAt', 'failure'];

function columnValue(field: ColumnField, value: unknown): string | number | null {
  if (field === 'priority') return priorities.indexOf(value as Task['priority']);
  if (field === 'labels' || field === 'acceptance') return JSON.stringify(value);
  return value as string | null;
}

/** The writes and entries of one change. A conflict if the task has changed since it was read. */
export function changeWrites(context: Context, task: Task, change: Change): { writes: Write[]; entries: Entry[] } {
  const at = context.now().toISOString();
  const changed = Object.entries(change.fields).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(task[field as keyof Fields]),
  ) as [keyof Fields, unknown][];
  const simple = changed.filter((one): one is [ColumnField, unknown] => one[0] !== 'dependsOn');
  const assigns = changed.some(([field]) => field === 'assigneeId');
  const sets = simple.map(([field]) => `${columns[field]} = :${field}`);
  const values = Object.fromEntries(simple.map(([field, value]) => [field, columnValue(field, value)]));
  const depends = change.fields.dependsOn;
  const writes: Write[] = [
    {
      sql: `update work_task set ${[...sets, ...(assigns ? ['assigned_at = :at'] : []), 'updated_at = :at', 'revision = revision + 1'].join(', ')}
        where id = :id and revision = :revision and coalesce(session, '') = :seen`,
      // A claim changes the session but not the revision; a decision without it is stale.
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
    // After `change.writes`: the hand-off that they accept is no longer pending and stays.
    ...(assigns ? [withdrawHandoffs(task.id)] : []),
  ];
  const changes = Object.fromEntries(
    changed
      .filter(([field]) => !omittedInHistory.includes(field))
      .map(([field, value]) => [snake(field), { from: task[field], to: value }]),
  );
  return {
    writes,
    entries: [
      entry(context, task.id, 'task.updated', { project: task.projectId, changes, ...change.note }),
      ...(change.entries ?? []),
    ],
  };
}

/** Fields that a new task does not have. */
const setLater = ['session', 'reported', 'attempts', 'failure'] as const;

/** A task to insert: a new one or one from another store. */
export type NewTask = Pick<Task, 'id' | 'projectId'> &
  Omit<Fields, (typeof setLater)[number]> & {
    /** Its number; without one it gets the next of its project. */
    readonly number?: number | null;
    readonly assignedAt: string | null;
    readonly createdAt: string;
    readonly updatedAt: string;
  };

/** Inserts tasks in this order. A conflict if an id or a number is taken, or if a project's tasks have no numbers yet. */
export function insertTasks(context: Context, tasks: readonly NewTask[]): readonly Write[] {
  const fields = (Object.keys(columns) as ColumnField[]).filter(
    (field) => field !== 'parentId' && !(setLater as readonly string[]).includes(field),
  );
  const names = fields.map((field) => columns[field]).join(', ');
  const next = takeNumbers(tasks);
  const inserts = tasks.map((task) => ({
    sql: `insert into work_task (id, ord, project_id, number, revision, assigned_at, created_at, updated_at, ${names})
      values (:id, :ord, :project, ${task.number == null ? numberFromCounter : ':number'}, 1, :assigned, :created, :updated, ${fields.map((field) => `:${field}`).join(', ')})`,
    args: {
      ...Object.fromEntries(fields.map((field) => [field, columnValue(field, task[field as keyof NewTask])])),
      id: task.id,
      ord: context.newId(''),
      project: task.projectId,
      ...(task.number == null ? { later: next.later(task) } : { number: task.number }),
      assigned: task.assignedAt,
      created: task.createdAt,
      updated: task.updatedAt,
    },
    rows: 1,
  }));
  // Relations come after all inserts: a task may refer to a later one in the list.
  return [...next.writes, ...inserts, ...tasks.flatMap(relationWrites)];
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

/** Makes a commit that only adds to a task a conflict if the task was deleted since it was read. */
export function taskExistsWrite(id: string): Write {
  return { sql: 'update work_task set revision = revision where id = :id', args: { id }, rows: 1 };
}

/** Makes a commit a conflict if the task was deleted or its session has changed; a claim does not change the revision. */
export function sameHolderWrite({ id, session }: Task): Write {
  return {
    sql: `update work_task set revision = revision where id = :id and coalesce(session, '') = :seen`,
    args: { id, seen: session ?? '' },
    rows: 1,
  };
}

function snake(field: string): string {
  return field.replaceAll(/([A-Z])/g, '_$1').toLowerCase();
}
