import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { text } from '../../kernel/store/row.ts';
import { commitBatch } from '../task/change.ts';
import { type Choice, takeWrites } from '../task/my-task.ts';
import { openSession } from '../session/sessions.ts';
import { sessionToken, success, taskIdInput } from '../shapes.ts';
import { moveTask } from '../task/status.ts';
import { findTask } from '../task/tasks.ts';
import { problem } from '../problem.ts';
import { resolveTaskId } from '../task/reference.ts';
import { words } from '../words.ts';

export const reportExecutionStart = defineOperation({
  name: 'report_execution_start',
  toolsets: ['work'],
  effect: 'write',
  replacedBy: 'get_my_task',
  summary: words('Deprecated: get_my_task records it automatically. Reports the start of a task’s execution.'),
  example: '--session-token sess_… --task-id tsk_…',
  input: z.strictObject({ session_token: sessionToken, task_id: taskIdInput }),
  output: z.object({ success, execution_id: z.string(), started_at: z.string() }),
  async run(given, input) {
    const started = await retry(
      async () => {
        const { session, context } = await openSession(given, input.session_token, problem.INVALID_SESSION_OR_TASK);
        const task = await findTask(context, await resolveTaskId(context, input.task_id, session.projectId));
        const mine = task?.assigneeId === session.agentId && task.projectId === session.projectId;
        if (task === undefined || !mine || (task.status !== 'in_progress' && task.status !== 'todo'))
          throw problem.INVALID_SESSION_OR_TASK();
        const choice: Choice =
          task.status === 'in_progress'
            ? { task }
            : { task, change: await moveTask(context, task, { to: 'in_progress', session: session.hash }) };
        const another = !(await isRunning(context, session.hash, task.id));
        const done = await commitBatch(context, await takeWrites(context, session, choice, another));
        return done ? { context, hash: session.hash, taskId: task.id } : again;
      },
      () => problem.INVALID_SESSION_OR_TASK(),
    );
    const [[row] = []] = await started.context.store.read([
      {
        sql: 'select id, started_at from work_execution where session = :hash and task_id = :task order by id desc limit 1',
        args: { hash: started.hash, task: started.taskId },
      },
    ]);
    if (row === undefined) throw new Error('an execution that was recorded is not there');
    return { success: true as const, execution_id: text(row, 'id'), started_at: text(row, 'started_at') };
  },
});

/** Reports whether an execution of the task in this session is still running. */
async function isRunning(context: Context, hash: string, task: string): Promise<boolean> {
  const [rows = []] = await context.store.read([
    {
      sql: `select id from work_execution where session = :hash and task_id = :task and status = 'running'`,
      args: { hash, task },
    },
  ]);
  return rows.length > 0;
}
