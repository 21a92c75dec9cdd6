import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { actAsSelf, provenAgent } from '../session/acting.ts';
import { refuseClaimed } from '../session/claims.ts';
import { liveSession } from '../task/my-task.ts';
import { holdRun } from '../session/sessions.ts';
import { longInput, statusSchema, success, taskIdInput, taskSchema } from '../shapes.ts';
import { moveTask } from '../task/status.ts';
import { taskRecord } from '../task/task.ts';
import { changeTask } from '../task/change.ts';
import { described, words } from '../words.ts';

export const updateTaskStatus = defineOperation({
  name: 'update_task_status',
  toolsets: ['work'],
  effect: 'write',
  summary: words(
    'Move a task: backlog → todo | cancelled; todo → in_progress | backlog | cancelled; in_progress → done | blocked | todo; blocked → in_progress | cancelled.',
  ),
  example: '--task-id tsk_… --status todo',
  input: z.strictObject({
    task_id: taskIdInput,
    status: described(statusSchema, 'The state to move to'),
    reason: described(longInput.min(1).optional(), 'The reason, for the journal'),
    force: described(z.boolean().optional(), 'A person may close a task whose process is not over; needs a reason'),
  }),
  output: z.object({ success, task: taskSchema }),
  async run(given, input) {
    const context = await actAsSelf(given);
    const agentId = provenAgent(context);
    const task = await changeTask(context, input.task_id, async (current) => {
      refuseClaimed(context, current);
      const session = agentId === undefined ? undefined : await liveSession(context, agentId, current.projectId);
      const change = await moveTask(context, current, {
        to: input.status,
        ...(session !== undefined && { session: text(session, 'hash') }),
        ...(input.reason !== undefined && { reason: input.reason }),
        // Force needs a reason, so that the journal says why.
        force: input.force === true && input.reason !== undefined,
      });
      if (input.status !== 'in_progress' || agentId === undefined || session === undefined) return change;
      // An agent that starts a task in its session works on it from now on.
      const hash = text(session, 'hash');
      return {
        ...change,
        fields: { ...change.fields, ...(current.assigneeId === null && { assigneeId: agentId }) },
        writes: [
          ...(change.writes ?? []),
          { sql: 'update work_session set task_id = :task where hash = :hash', args: { task: current.id, hash } },
          ...holdRun(
            context,
            { agentId, projectId: current.projectId, connection: optional(session, 'connection') },
            change.fields.runId ?? current.runId,
          ),
        ],
      };
    });
    return { success: true as const, task: taskRecord(task) };
  },
});
