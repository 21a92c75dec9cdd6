import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { idsInput, longInput, statusSchema, success, taskSchema } from '../shapes.ts';
import { type Step, buildBatch, commitBatch } from '../task/change.ts';
import { moveTask } from '../task/status.ts';
import { taskRecord } from '../task/task.ts';
import { readTasks } from '../task/tasks.ts';
import { problem } from '../problem.ts';
import { resolveTaskIds } from '../task/reference.ts';
import { described, words } from '../words.ts';

export const moveTasks = defineOperation({
  name: 'move_tasks',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Move many tasks to one state, all or none, by the same rules as update_task_status.'),
  example: '--task-ids tsk_a --task-ids tsk_b --status todo',
  input: z.strictObject({
    task_ids: described(idsInput.min(1), 'Which tasks'),
    status: described(statusSchema, 'The state to move to'),
    reason: described(longInput.min(1).optional(), 'The reason, for the journal'),
    force: described(z.boolean().optional(), 'Close tasks whose process is not over; needs a reason'),
  }),
  output: z.object({ success, tasks: z.array(taskSchema) }),
  async run(context, input) {
    const ids = [...new Set(await resolveTaskIds(context, input.task_ids))];
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
        return (await commitBatch(context, await buildBatch(context, steps))) ? true : again;
      },
      () => problem.PLAN_BUSY(),
    );
    return { success: true as const, tasks: (await readTasks(context, ids)).map(taskRecord) };
  },
});
