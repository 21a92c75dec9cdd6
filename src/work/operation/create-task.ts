import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { projectIdInput, success, taskSchema } from '../shapes.ts';
import { createTasks, draftFields, newTask, resolveRelations } from '../task/create.ts';
import { taskRecord } from '../task/task.ts';
import { readTask } from '../task/tasks.ts';
import { words } from '../words.ts';

export const createTask = defineOperation({
  name: 'create_task',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Create a task. It starts in the backlog; update_task_status moves it.'),
  example: '--project-id prj_frontend --title "Login screen" --assignee-id agt_developer --priority high',
  input: z.strictObject({ project_id: projectIdInput, ...draftFields }),
  output: z.object({ success, task_id: z.string(), task: taskSchema }),
  async run(context, { project_id: project, ...draft }) {
    const id = context.newId('tsk_');
    await createTasks(context, [newTask(context, project, id, await resolveRelations(context, project, draft))]);
    return { success: true as const, task_id: id, task: taskRecord(await readTask(context, id)) };
  },
});
