import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { like, escapeLike } from '../../kernel/store/sql-like.ts';
import { titleOf } from '../view/title.ts';
import { currentRunOf, currentRunQuery } from '../run/runs.ts';
import { runStatusOf } from '../run/status.ts';
import { cursorInput, runStatusSchema } from '../shapes.ts';
import { described, words } from '../words.ts';

export const listRuns = defineOperation({
  name: 'state_gate.list_runs',
  toolsets: ['gate'],
  effect: 'read',
  summary: words('The runs of this project, newest first.'),
  example: '--open --limit 10',
  input: z.strictObject({
    process_id: described(z.string().optional(), 'Only runs of this process'),
    open: described(z.boolean().optional(), 'Only runs that are not final'),
    text: described(z.string().optional(), 'Only runs with this text in their id, process, state or context'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    runs: z.array(
      z.object({
        run_id: z.string(),
        process_id: z.string(),
        process_version: z.string(),
        title: described(z.string().nullable(), 'Its subject, if its context names one'),
        current_state: z.string(),
        revision: z.number(),
        is_final: z.boolean(),
        status: runStatusSchema,
        is_current: z.boolean(),
        created_at: z.string(),
        updated_at: z.string(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run(context, input) {
    const before = decodeCursor(input.cursor);
    const [rows = [], current = []] = await context.store.read([
      {
        sql: `select id, process_id, process_version, context, state, revision, is_final, aborted, created_at, updated_at from run
          where project = :project and id < :before
          ${input.process_id === undefined ? '' : 'and process_id = :process'} ${input.open === true ? 'and is_final = 0' : ''}
          ${input.text === undefined ? '' : `and ${like("id || ' ' || process_id || ' ' || state || ' ' || context", ':text')}`}
          order by id desc limit :limit`,
        args: {
          project: context.project.key,
          // Ids are time-ordered; "~" sorts after all of them.
          before: before ?? '~',
          limit: input.limit + 1,
          ...(input.process_id !== undefined && { process: input.process_id }),
          ...(input.text !== undefined && { text: `%${escapeLike(input.text)}%` }),
        },
      },
      currentRunQuery(context.project),
    ]);
    const currentId = currentRunOf(current, context.project);
    const page = cutPage(rows, input.limit, (row) => text(row, 'id'));
    return {
      runs: page.rows.map((row) => ({
        run_id: text(row, 'id'),
        process_id: text(row, 'process_id'),
        process_version: text(row, 'process_version'),
        title: titleOf({ context: JSON.parse(text(row, 'context')) as Record<string, unknown> }) ?? null,
        current_state: text(row, 'state'),
        revision: Number(row['revision']),
        is_final: row['is_final'] === 1,
        status: runStatusOf(row),
        is_current: row['id'] === currentId,
        created_at: text(row, 'created_at'),
        updated_at: text(row, 'updated_at'),
      })),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
