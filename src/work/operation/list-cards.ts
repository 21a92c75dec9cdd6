import * as z from 'zod';
import { runPositionQuery } from '../../gate/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { text } from '../../kernel/store/row.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import {
  cursorInput,
  lineInput,
  linkSchema,
  nextCursor,
  statusSchema,
  success,
  taskRunSchema,
  taskSchema,
} from '../shapes.ts';
import { filtersOf } from '../task/filters.ts';
import { openDependenciesQuery, taskLink, taskRun } from '../task/links.ts';
import { isClosed, moves, selectTasks, taskRecord, toTask } from '../task/task.ts';
import { described, words } from '../words.ts';

export const listCards = defineOperation({
  name: 'list_cards',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'One column of the board: the tasks in a state, most urgent first (closed: latest first), with their open dependencies, run and possible moves.',
  ),
  example: '--status todo --project-id prj_frontend',
  input: z.strictObject({
    status: described(statusSchema, 'The state of the column'),
    project_id: described(z.string().optional(), 'Only of this project'),
    assignee_id: described(z.string().optional(), 'Only of this agent'),
    label: described(lineInput.optional(), 'Only with this label'),
    text: described(lineInput.optional(), 'Only with this text in the title or description'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    success,
    cards: z.array(
      taskSchema.extend({
        waits_for: described(z.array(linkSchema), 'Open tasks that must be closed before it can start'),
        run: taskRunSchema.nullable(),
        moves: described(z.array(statusSchema).readonly(), 'The states that it can move to'),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(context, { limit, cursor, ...wanted }) {
    const { rows, next } = cutPage(
      (await context.store.read([columnQuery(wanted, decodeCursor(cursor), limit + 1, context.now())]))[0] ?? [],
      limit,
      (row) => [isClosed(wanted.status) ? text(row, 'updated_at') : Number(row['priority']), row['ord']].join(' '),
    );
    const tasks = rows.map(toTask);
    const [open = [], runs = []] = await context.store.read([
      openDependenciesQuery(among(tasks.map((one) => one.id))),
      runPositionQuery(among(tasks.flatMap((one) => one.runId ?? []))),
    ]);
    return {
      success: true as const,
      cards: tasks.map((task) => ({
        ...taskRecord(task),
        waits_for: open.filter((row) => row['waiting'] === task.id).map(taskLink),
        run: runIn(runs, task.runId),
        moves: moves[task.status],
      })),
      ...(next !== undefined && { next_cursor: next }),
    };
  },
});

function columnQuery(
  wanted: Parameters<typeof filtersOf>[0],
  after: string | undefined,
  limit: number,
  now: Date,
): Query {
  const { sql, args } = filtersOf(wanted);
  const closed = wanted.status !== undefined && isClosed(wanted.status);
  const [key = '', ord = ''] = after?.split(' ') ?? [];
  const where = closed
    ? '(t.updated_at < :key or (t.updated_at = :key and t.ord < :ord)) order by t.updated_at desc, t.ord desc'
    : '(t.priority > :key or (t.priority = :key and t.ord > :ord)) order by t.priority, t.ord';
  // The start of either order.
  const from =
    after === undefined
      ? closed
        ? { key: '~', ord: '' }
        : { key: -1, ord: '' }
      : { key: closed ? key : Number(key), ord };
  return {
    sql: `${selectTasks} where ${sql} and ${where} limit :limit`,
    args: { ...args, ...from, limit, now: now.toISOString() },
  };
}

/** A list of ids in the form of a subquery. */
function among(ids: readonly string[]): Query {
  return {
    sql: ids.length === 0 ? "''" : ids.map((_, index) => `:id${index}`).join(', '),
    args: Object.fromEntries(ids.map((id, index) => [`id${index}`, id])),
  };
}

function runIn(runs: readonly Row[], id: string | null) {
  const row = runs.find((one) => one['id'] === id);
  return row === undefined ? null : taskRun(row);
}
