import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { success, taskIdInput, taskSchema } from '../shapes.ts';
import { taskRecord } from '../task/task.ts';
import { readTask } from '../task/tasks.ts';
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
    return { success: true as const, task: taskRecord(await readTask(context, input.task_id)) };
  },
});
