import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Entry } from '../../kernel/store/store.ts';
import { idsInput, longInput, statusSchema, success, taskSchema } from '../shapes.ts';
import type { Step } from '../task/change.ts';
import { batchOf } from '../task/change.ts';
import { moveTask } from '../task/status.ts';
import { taskRecord } from '../task/task.ts';
import { readTasks } from '../task/tasks.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const moveTasks = defineOperation({
  name: 'move_tasks',
  toolsets: ['admin'],
  effect: 'write',
  summary: {
    en: 'Move many tasks to one state, by the same rules as update_task_status: all of them or none.',
    ja: '複数のタスクを同じ状態に移します。規則は update_task_status と同じです。すべて移るか、1 つも移らないかです。',
  },
  example: '--task-ids tsk_a --task-ids tsk_b --status todo',
  input: z.strictObject({
    task_ids: told(idsInput.min(1), { en: 'Which tasks', ja: 'タスクの ID' }),
    status: told(statusSchema, { en: 'The state to move to', ja: '移る先の状態' }),
    reason: told(longInput.min(1).optional(), { en: 'Why; the journal keeps it', ja: '理由 (ジャーナルに残ります)' }),
    force: told(z.boolean().optional(), {
      en: 'Close tasks whose process is not over; needs a reason',
      ja: 'プロセスが終わっていないタスクも完了にします (理由が必要)',
    }),
  }),
  output: z.object({ success, tasks: z.array(taskSchema) }),
  async run(context, input) {
    const ids = [...new Set(input.task_ids)];
    const wish = {
      to: input.status,
      ...(input.reason !== undefined && { reason: input.reason }),
      force: input.force === true && input.reason !== undefined,
    };
    await retry(
      async () => {
        const steps: Step[] = [];
        for (const task of await readTasks(context, ids))
          steps.push({ task, change: await moveTask(context, task, wish) });
        const { writes, entries } = await batchOf(context, steps);
        return (await context.store.commit(writes, entries as [Entry, ...Entry[]])).done ? true : again;
      },
      () => problem.PLAN_BUSY(),
    );
    return { success: true as const, tasks: (await readTasks(context, ids)).map(taskRecord) };
  },
});
