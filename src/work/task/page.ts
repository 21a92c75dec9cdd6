import type { Context } from '../../kernel/context.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { type Task, selectTasks, toTask } from './task.ts';

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
