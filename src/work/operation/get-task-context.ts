import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { contextRecord, latestContextQuery } from '../task/contexts.ts';
import { contextSchema, cursorInput, nextCursor, success, taskIdInput } from '../shapes.ts';
import { readTask } from '../task/tasks.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

export const getTaskContext = defineOperation({
  name: 'get_task_context',
  toolsets: ['work'],
  effect: 'read',
  summary: words('The saved context of a task: progress, findings, blockers, next steps.'),
  example: '--task-id tsk_… --include-history',
  input: z.strictObject({
    task_id: taskIdInput,
    include_history: described(z.boolean().optional(), 'Every version, newest first'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    success,
    context: contextSchema.nullable(),
    history: z.array(contextSchema).optional(),
    next_cursor: nextCursor,
  }),
  async run(context, input) {
    const { id } = await readTask(context, await resolveTaskId(context, input.task_id));
    const [[latest] = [], rows = []] = await context.store.read([
      latestContextQuery(id),
      {
        sql: 'select * from work_context where task_id = :task and version < :before order by version desc limit :limit',
        args: {
          task: id,
          before: decodePosition(input.cursor) ?? Number.MAX_SAFE_INTEGER,
          limit: input.include_history === true ? input.limit + 1 : 0,
        },
      },
    ]);
    const page = cutPage(rows, input.limit, (row) => String(row['version']));
    return {
      success: true as const,
      context: latest === undefined ? null : contextRecord(latest),
      ...(input.include_history === true && { history: page.rows.map(contextRecord) }),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
