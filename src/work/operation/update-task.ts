import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { findDefinition } from '../../gate/index.ts';
import { requireMember } from '../session/agents.ts';
import { type Relations, checkRelations } from '../task/relations.ts';
import {
  idsInput,
  labelsInput,
  lineInput,
  listOf,
  longInput,
  manyTexts,
  prioritySchema,
  statusSchema,
  success,
  taskIdInput,
  taskSchema,
} from '../shapes.ts';
import { moveTask } from '../task/status.ts';
import { type Task, taskRecord } from '../task/task.ts';
import type { Change, Fields } from '../task/tasks.ts';
import { changeTask } from '../task/change.ts';
import { problem } from '../problem.ts';
import { resolveTaskId, resolveTaskIds } from '../task/reference.ts';
import { described, words } from '../words.ts';

const UpdateTaskInput = z.strictObject({
  task_id: taskIdInput,
  title: described(lineInput.optional(), 'What to do, in one line'),
  description: described(longInput.optional(), 'What to do, in detail'),
  status: described(statusSchema.optional(), 'The state to move to'),
  priority: described(prioritySchema.optional(), 'More urgent tasks start first'),
  assignee_id: described(z.string().nullable().optional(), 'The assigned agent; null to unassign'),
  depends_on: described(idsInput.optional(), 'Tasks that must be done before it can start'),
  process_id: described(
    z.string().nullable().optional(),
    'A process of the gate, only before the task starts; null for none',
  ),
  acceptance: described(manyTexts.optional(), 'Acceptance criteria'),
  parent_id: described(z.string().nullable().optional(), 'The parent task; null for none'),
  labels: described(labelsInput.optional(), 'Labels to find it by'),
  expected_revision: described(z.int().optional(), 'Refuse the change if the task has another revision'),
  reason: described(longInput.min(1).optional(), 'The reason, for the journal'),
  force: described(z.boolean().optional(), 'Close it although its process is not over; needs a reason'),
});
type UpdateTask = z.output<typeof UpdateTaskInput>;

export const updateTask = defineOperation({
  name: 'update_task',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Change a task. Omitted fields keep their value; edits of different fields do not undo each other.'),
  example: '--task-id tsk_… --priority urgent',
  input: UpdateTaskInput,
  output: z.object({ success, task: taskSchema }),
  async run(context, input) {
    const task = await changeTask(
      context,
      await resolveTaskId(context, input.task_id),
      (current) => decide(context, current, input),
      input.expected_revision,
    );
    return { success: true as const, task: taskRecord(task) };
  },
});

async function decide(context: Context, task: Task, input: UpdateTask): Promise<Change> {
  if (input.assignee_id != null && input.assignee_id !== task.assigneeId)
    await requireMember(context, input.assignee_id, task.projectId);
  if (input.process_id != null) await findDefinition(context, input.process_id);
  const relations = {
    dependsOn: await resolveTaskIds(context, input.depends_on ?? [], task.projectId),
    parentId: input.parent_id == null ? null : await resolveTaskId(context, input.parent_id, task.projectId),
  };
  const seen = await checkRelations(context, task, relations);
  if (input.process_id !== undefined && input.process_id !== task.processId && task.startedAt !== null)
    throw problem.TASK_STARTED({ task_id: task.id });
  const plain = fieldsOf(input, relations);
  const gone = plain.assigneeId !== undefined && plain.assigneeId !== task.assigneeId;
  const note = input.reason === undefined ? {} : { reason: input.reason };
  if (input.status === undefined || input.status === task.status)
    return { fields: { ...plain, ...(gone && { session: null }) }, seen, note };
  const move = await moveTask(
    context,
    { ...task, ...plain },
    { to: input.status, ...note, force: input.force === true && input.reason !== undefined },
  );
  return { ...move, fields: { ...plain, ...move.fields }, seen };
}

function fieldsOf(input: UpdateTask, { dependsOn, parentId }: Relations): Partial<Fields> {
  return {
    ...(input.title !== undefined && { title: input.title }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.priority !== undefined && { priority: input.priority }),
    ...(input.assignee_id !== undefined && { assigneeId: input.assignee_id }),
    ...(input.depends_on !== undefined && { dependsOn: [...new Set(dependsOn)].toSorted() }),
    ...(input.process_id !== undefined && { processId: input.process_id }),
    ...(input.acceptance !== undefined && { acceptance: listOf(input.acceptance) }),
    ...(input.parent_id !== undefined && { parentId }),
    ...(input.labels !== undefined && { labels: input.labels }),
  };
}
