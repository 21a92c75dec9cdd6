import * as z from 'zod';
import { runPositionQuery } from '../../gate/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import {
  cursorInput,
  linkSchema,
  movesOutput,
  nextCursor,
  statusSchema,
  success,
  taskFilterInput,
  taskRunSchema,
  taskSchema,
} from '../shapes.ts';
import { filtersOf } from '../task/filters.ts';
import { openDependenciesQuery, taskLink, taskRun } from '../task/links.ts';
import { latestFirst, mostUrgentFirst, readTaskPage } from '../task/page.ts';
import { isClosed, moves, taskRecord } from '../task/task.ts';
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
    ...taskFilterInput,
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    success,
    cards: z.array(
      taskSchema.extend({
        waits_for: described(z.array(linkSchema), 'Open tasks that must be closed before it can start'),
        run: taskRunSchema.nullable(),
        moves: movesOutput,
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(context, { limit, cursor, ...wanted }) {
    const order = isClosed(wanted.status) ? latestFirst : mostUrgentFirst;
    const { tasks, next } = await readTaskPage(context, filtersOf(wanted), order, { limit, cursor });
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
