import * as z from 'zod';
import { runPositionQuery } from '../../gate/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
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
import { openDependenciesQuery, taskLink, taskRun } from '../task/links.ts';
import { filterCondition, latestFirst, mostUrgentFirst, readTaskPage } from '../task/page.ts';
import { idList, isClosed, moves, taskRecord } from '../task/task.ts';
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
    const { tasks, next } = await readTaskPage(context, filterCondition(wanted), order, { limit, cursor });
    const [open = [], runs = []] = await context.store.read([
      openDependenciesQuery(idList(tasks.map((one) => one.id))),
      runPositionQuery(idList(tasks.flatMap((one) => one.runId ?? []))),
    ]);
    return {
      success: true as const,
      cards: tasks.map((task) => ({
        ...taskRecord(task),
        waits_for: open.filter((row) => row['waiting'] === task.id).map(taskLink),
        run: runs.filter((row) => row['id'] === task.runId).map(taskRun)[0] ?? null,
        moves: moves[task.status],
      })),
      ...(next !== undefined && { next_cursor: next }),
    };
  },
});
