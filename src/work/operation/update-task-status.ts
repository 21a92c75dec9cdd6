import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { actAsSelf, provenAgent, refuseClaimed } from '../session/acting.ts';
import { enterTaskWrites, liveSession } from '../task/my-task.ts';
import { longInput, statusSchema, success, taskIdInput, taskSchema } from '../shapes.ts';
import { moveTask } from '../task/status.ts';
import { taskRecord } from '../task/task.ts';
import { changeTask } from '../task/change.ts';
import { resolveTaskId } from '../task/reference.ts';
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
    const task = await changeTask(context, await resolveTaskId(context, input.task_id), async (current) => {
      refuseClaimed(context, current);
      const session = agentId === undefined ? undefined : await liveSession(context, agentId, current.projectId);
      const change = await moveTask(context, current, {
        to: input.status,
        ...(session !== undefined && { session: session.hash }),
        ...(input.reason !== undefined && { reason: input.reason }),
        // Force needs a reason, so that the journal says why.
        force: input.force === true && input.reason !== undefined,
      });
      if (input.status !== 'in_progress' || session === undefined) return change;
      // An agent that starts a task in its session works on it from now on.
      const entered = await enterTaskWrites(context, session, current, change);
      return {
        ...change,
        fields: { ...change.fields, ...(current.assigneeId === null && { assigneeId: session.agentId }) },
        writes: [...(change.writes ?? []), ...entered.writes],
        entries: [...(change.entries ?? []), ...entered.entries],
      };
    });
    return { success: true as const, task: taskRecord(task) };
  },
});
