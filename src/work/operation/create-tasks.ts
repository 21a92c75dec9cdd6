import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { lineInput, projectIdInput, success, taskSchema } from '../shapes.ts';
import { createTasks as create, draftFields, newTask, resolveRelations } from '../task/create.ts';
import { taskRecord } from '../task/task.ts';
import { readTasks } from '../task/tasks.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

const most = 500;

export const createTasks = defineOperation({
  name: 'create_tasks',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Create many tasks at once, all or none. With keys they can depend on each other.'),
  example: `--project-id prj_frontend --tasks '[{"key":"a","title":"Design"},{"title":"Build","depends_on":["a"]}]'`,
  input: z.strictObject({
    project_id: projectIdInput,
    tasks: described(
      z
        .array(
          z.strictObject({
            key: described(
              lineInput.optional(),
              'A name for it in depends_on and parent_id of the other tasks in this call',
            ),
            ...draftFields,
          }),
        )
        .min(1)
        .max(most),
      'The tasks, in the order of later lists',
    ),
  }),
  output: z.object({ success, task_ids: z.array(z.string()), tasks: z.array(taskSchema) }),
  async run(context, input) {
    const ids = new Map<string, string>();
    const named = input.tasks.map(({ key, ...draft }) => {
      const id = context.newId('tsk_');
      if (key !== undefined && ids.has(key)) throw problem.ID_TAKEN({ id: key });
      if (key !== undefined) ids.set(key, id);
      return { id, draft };
    });
    const { project_id: project } = input;
    const drafts = await Promise.all(
      named.map(async ({ id, draft }) =>
        newTask(context, project, id, await resolveRelations(context, project, draft, (name) => ids.get(name))),
      ),
    );
    await create(context, drafts);
    const tasks = await readTasks(
      context,
      drafts.map((one) => one.id),
    );
    return { success: true as const, task_ids: drafts.map((one) => one.id), tasks: tasks.map(taskRecord) };
  },
});
