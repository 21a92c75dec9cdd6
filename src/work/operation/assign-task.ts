import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { actAsSelf, refuseClaimed } from '../session/acting.ts';
import { readAgent, requireMember } from '../session/agents.ts';
import { success, taskIdInput, taskSchema } from '../shapes.ts';
import { taskRecord } from '../task/task.ts';
import { changeTask } from '../task/change.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

export const assignTask = defineOperation({
  name: 'assign_task',
  toolsets: ['work'],
  effect: 'write',
  idempotent: true,
  summary: words('Assign a task to an agent.'),
  example: '--task-id tsk_… --assignee-id agt_developer',
  input: z.strictObject({
    task_id: taskIdInput,
    assignee_id: described(z.string(), 'An agent that is assigned to the project'),
  }),
  output: z.object({ success, task: taskSchema }),
  async run(given, input) {
    const context = await actAsSelf(given);
    await readAgent(context, input.assignee_id);
    const task = await changeTask(context, await resolveTaskId(context, input.task_id), async (current) => {
      refuseClaimed(context, current);
      const same = current.assigneeId === input.assignee_id;
      if (!same) await requireMember(context, input.assignee_id, current.projectId);
      return { fields: { assigneeId: input.assignee_id, ...(!same && { session: null }) } };
    });
    return { success: true as const, task: taskRecord(task) };
  },
});
