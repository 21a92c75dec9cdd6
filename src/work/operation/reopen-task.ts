import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { longInput, success, taskIdInput, taskSchema } from '../shapes.ts';
import { changeTask } from '../task/change.ts';
import { isClosed, moves, taskRecord } from '../task/task.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const reopenTask = defineOperation({
  name: 'reopen_task',
  toolsets: ['admin'],
  effect: 'write',
  summary: {
    en: 'Open a task again that is done or cancelled. Its process, if it has one, begins anew when the task does.',
    ja: '完了または中止したタスクを再開します。プロセスがあれば、タスクの開始時に最初からになります。',
  },
  example: '--task-id tsk_… --reason "The login fails on Safari"',
  input: z.strictObject({
    task_id: taskIdInput,
    status: told(z.enum(['todo', 'backlog']).default('todo'), { en: 'The state to move to', ja: '移る先の状態' }),
    reason: told(longInput.min(1).optional(), { en: 'Why; the journal keeps it', ja: '理由 (ジャーナルに残ります)' }),
  }),
  output: z.object({ success, task: taskSchema }),
  async run(context, input) {
    const task = await changeTask(context, input.task_id, async (current) => {
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
