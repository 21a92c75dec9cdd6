import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { longInput, success, taskIdInput, taskSchema } from '../shapes.ts';
import { changeTask } from '../task/change.ts';
import { isClosed, moves, taskRecord } from '../task/task.ts';
import { problem } from '../problem.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

export const reopenTask = defineOperation({
  name: 'reopen_task',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Reopen a task that is done or cancelled. Its process, if it has one, restarts when the task starts.'),
  example: '--task-id tsk_… --reason "The login fails on Safari"',
  input: z.strictObject({
    task_id: taskIdInput,
    status: described(z.enum(['todo', 'backlog']).default('todo'), 'The state to move to'),
    reason: described(longInput.min(1).optional(), 'The reason, for the journal'),
  }),
  output: z.object({ success, task: taskSchema }),
  async run(context, input) {
    const task = await changeTask(context, await resolveTaskId(context, input.task_id), async (current) => {
      const { id, status } = current;
      if (!isClosed(status))
        throw problem.INVALID_TRANSITION({ task_id: id, from: status, to: input.status, possible: moves[status] });
      return {
        fields: { status: input.status, completedAt: null, startedAt: null, runId: null, session: null },
        note: { reopened: true, ...(input.reason !== undefined && { reason: input.reason }) },
      };
    });
    return { success: true as const, task: taskRecord(task) };
  },
});
