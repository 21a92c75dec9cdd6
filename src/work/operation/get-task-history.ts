import * as z from 'zod';
import { journalQuery } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { readEntries } from '../task/journal-entries.ts';
import { readTask } from '../task/tasks.ts';
import { cursorInput, entrySchema, nextCursor, success, taskIdInput } from '../shapes.ts';
import { resolveTaskId } from '../task/reference.ts';
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
      entrySchema
        .pick({ at: true, actor: true, kind: true })
        .extend({
          changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
          data: z.record(z.string(), z.unknown()),
        }),
    ),
    next_cursor: nextCursor,
  }),
  async run(context, input) {
    const { id } = await readTask(context, await resolveTaskId(context, input.task_id));
    const page = await readEntries(context, input, (after, limit) => [journalQuery({ subject: id, after, limit })]);
    return {
      success: true as const,
      history: page.entries.map(({ at, actor, kind, data: all }) => {
        const { changes = {}, ...data } = all as { changes?: Record<string, { from: unknown; to: unknown }> };
        return { at, actor, kind, changes, data };
      }),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
