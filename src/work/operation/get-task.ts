import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { success, taskIdInput, taskSchema } from '../shapes.ts';
import { taskRecord } from '../task/task.ts';
import { taskRecords } from '../task/task-tree.ts';
import { readTask } from '../task/tasks.ts';
import { resolveTaskId } from '../task/reference.ts';
import { words } from '../words.ts';

export const getTask = defineOperation({
  name: 'get_task',
  toolsets: ['work'],
  effect: 'read',
  summary: words('A task with all its fields.'),
  example: '--task-id tsk_…',
  input: z.strictObject({ task_id: taskIdInput }),
  output: z.object({ success, task: taskSchema }),
  async run(context, input) {
    const task = await readTask(context, await resolveTaskId(context, input.task_id));
    const [record] = await taskRecords(context, [task]);
    return { success: true as const, task: record ?? taskRecord(task) };
  },
});
