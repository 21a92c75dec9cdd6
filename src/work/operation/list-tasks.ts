import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { readAgent } from '../session/agents.ts';
import { readProject } from '../task/projects.ts';
import {
  cursorInput,
  nextCursor,
  prioritySchema,
  statusSchema,
  success,
  taskFilterInput,
  taskSchema,
} from '../shapes.ts';
import { filterCondition, nextCursorField, oldestFirst, readTaskPage } from '../task/page.ts';
import { taskRecords } from '../task/task-tree.ts';
import { readTask } from '../task/tasks.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

const ListTasksInput = z.strictObject({
  project_id: taskFilterInput.project_id,
  status: described(statusSchema.optional(), 'Only in this state'),
  assignee_id: taskFilterInput.assignee_id,
  parent_id: described(z.string().optional(), 'Only children of this task'),
  text: taskFilterInput.text,
  label: taskFilterInput.label,
  priority: described(prioritySchema.optional(), 'Only of this priority'),
  ready: described(z.boolean().optional(), 'true: todo tasks that can start now; false: all others'),
  limit: limitInput,
  cursor: cursorInput,
});

export const listTasks = defineOperation({
  name: 'list_tasks',
  toolsets: ['work'],
  effect: 'read',
  summary: words('Tasks filtered by project, agent, state or readiness, oldest first.'),
  example: '--project-id prj_frontend --status todo',
  input: ListTasksInput,
  output: z.object({ success, tasks: z.array(taskSchema), next_cursor: nextCursor }),
  async run(context, input) {
    if (input.project_id !== undefined) await readProject(context, input.project_id);
    if (input.assignee_id !== undefined) await readAgent(context, input.assignee_id);
    const parent =
      input.parent_id === undefined ? undefined : await resolveTaskId(context, input.parent_id, input.project_id);
    if (parent !== undefined) await readTask(context, parent);
    const wanted = filterCondition({ ...input, parent_id: parent });
    const { tasks, next } = await readTaskPage(context, wanted, oldestFirst, input);
    return { success: true as const, tasks: await taskRecords(context, tasks), ...nextCursorField(next) };
  },
});
