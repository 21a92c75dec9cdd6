import * as z from 'zod';
import { journalQuery } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { readTask } from '../task/tasks.ts';
import { cursorInput, nextCursor, success, taskIdInput } from '../shapes.ts';
import { words } from '../words.ts';

export const getTaskHistory = defineOperation({
  name: 'get_task_history',
  toolsets: ['work'],
  effect: 'read',
  summary: words('Every change of a task, oldest first: when, by whom, and each field before and after.'),
  example: '--task-id tsk_…',
  input: z.strictObject({ task_id: taskIdInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    success,
    history: z.array(
      z.object({
        at: z.string(),
        actor: z.string(),
        kind: z.string(),
        changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(context, input) {
    await readTask(context, input.task_id);
    const [rows = []] = await context.store.read([
      journalQuery({
        subject: input.task_id,
        after: decodePosition(input.cursor) ?? 0,
        limit: input.limit + 1,
      }),
    ]);
    const page = cutPage(rows, input.limit, (row) => String(row['seq']));
    return {
      success: true as const,
      history: page.rows.map((row) => {
        const { changes = {}, ...data } = JSON.parse(text(row, 'data')) as {
          changes?: Record<string, { from: unknown; to: unknown }>;
        };
        return { at: text(row, 'at'), actor: text(row, 'actor'), kind: text(row, 'kind'), changes, data };
      }),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
