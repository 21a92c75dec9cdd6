import type { Context } from '../../kernel/context.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { lowerAscii } from '../../kernel/store/sql-like.ts';
import { text } from '../../kernel/store/row.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { type Priority, type Status, type Task, isReady, priorities, selectTasks, toTask } from './task.ts';

/** The field of an answer that continues its list, if there is more. */
export function nextCursorField(next: string | undefined): { readonly next_cursor?: string } {
  return next === undefined ? {} : { next_cursor: next };
}

/** Reads a page of rows in the order of a text column `key`, which the query compares with `:after`. */
export async function readPage(
  context: Context,
  { sql, args }: Query,
  key: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly rows: readonly Row[]; readonly next: string | undefined }> {
  const [rows = []] = await context.store.read([
    { sql: `${sql} limit :limit`, args: { ...args, after: decodeCursor(cursor) ?? '', limit: limit + 1 } },
  ]);
  return cutPage(rows, limit, (row) => text(row, key));
}

/** An order of tasks in pages. */
interface Order {
  /** The condition for tasks after the cursor, and the `order by`. */
  readonly sql: string;
  readonly args: (after: string | undefined) => Query['args'];
  /** Returns the cursor of a row. */
  readonly mark: (row: Row) => string;
}

export const oldestFirst: Order = {
  sql: 't.ord > :after order by t.ord',
  args: (after = '') => ({ after }),
  mark: (row) => text(row, 'ord'),
};

export const mostUrgentFirst: Order = {
  sql: '(t.priority > :key or (t.priority = :key and t.ord > :ord)) order by t.priority, t.ord',
  args: (after = '-1') => {
    const [key = '', ord = ''] = after.split(' ');
    return { key: Number(key), ord };
  },
  mark: (row) => `${Number(row['priority'])} ${text(row, 'ord')}`,
};

export const latestFirst: Order = {
  sql: '(t.updated_at < :key or (t.updated_at = :key and t.ord < :ord)) order by t.updated_at desc, t.ord desc',
  args: (after = '~') => {
    const [key = '', ord = ''] = after.split(' ');
    return { key, ord };
  },
  mark: (row) => `${text(row, 'updated_at')} ${text(row, 'ord')}`,
};

/** Reads a page of the tasks `t` that meet a condition. */
export async function readTaskPage(
  context: Context,
  condition: Query,
  order: Order,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ readonly tasks: readonly Task[]; readonly next: string | undefined }> {
  const [found = []] = await context.store.read([
    {
      sql: `${selectTasks} where ${condition.sql} and ${order.sql} limit :limit`,
      args: {
        ...condition.args,
        ...order.args(decodeCursor(cursor)),
        limit: limit + 1,
        now: context.now().toISOString(),
      },
    },
  ]);
  const { rows, next } = cutPage(found, limit, order.mark);
  return { tasks: rows.map(toTask), next };
}

/** Filters for tasks; an omitted field matches every task. */
export interface TaskFilter {
  readonly project_id?: string | undefined;
  readonly status?: Status | undefined;
  readonly assignee_id?: string | undefined;
  readonly parent_id?: string | undefined;
  readonly text?: string | undefined;
  readonly label?: string | undefined;
  readonly priority?: Priority | undefined;
  readonly ready?: boolean | undefined;
}

/** The filters as an SQL condition on a task `t`. */
export function filterCondition(wanted: TaskFilter): Query {
  const given = conditions(wanted).filter((one) => one !== undefined);
  return {
    sql: given.length === 0 ? '1 = 1' : given.map(({ sql }) => sql).join(' and '),
    args: Object.assign({}, ...given.map(({ args }) => args)) as Query['args'],
  };
}

function conditions(wanted: TaskFilter): readonly (Query | undefined)[] {
  const equal = (column: 'project_id' | 'status' | 'assignee_id' | 'parent_id'): Query | undefined => {
    const value = wanted[column];
    return value === undefined ? undefined : { sql: `t.${column} = :${column}`, args: { [column]: value } };
  };
  const { text: words, label, priority, ready } = wanted;
  return [
    equal('project_id'),
    equal('status'),
    equal('assignee_id'),
    equal('parent_id'),
    // Removing the text must change the field: the only substring search without wildcards that both databases have.
    words === undefined
      ? undefined
      : {
          sql: `(replace(lower(t.title), :text, '') <> lower(t.title)
            or replace(lower(t.description), :text, '') <> lower(t.description))`,
          args: { text: lowerAscii(words) },
        },
    label === undefined ? undefined : hasLabel(label),
    priority === undefined
      ? undefined
      : { sql: 't.priority = :priority', args: { priority: priorities.indexOf(priority) } },
    ready === undefined ? undefined : { sql: `${ready ? '' : 'not '}(${isReady})`, args: {} },
  ];
}

/** SQL condition on the labels: a JSON list, in which a quote after "[" or "," begins a label. */
function hasLabel(label: string): Query {
  const written = JSON.stringify(label);
  return {
    sql: `(replace(t.labels, :first, '') <> t.labels or replace(t.labels, :next, '') <> t.labels)`,
    args: { first: `[${written}`, next: `,${written}` },
  };
}
