import * as z from 'zod';
import { entry } from '../../kernel/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { findDefinition } from '../../gate/index.ts';
import { readAgent } from '../session/agents.ts';
import { insertTask } from '../task/insert-task.ts';
import { readProject } from '../task/projects.ts';
import { requireTasks } from '../task/relations.ts';
import { listOf, manyTexts, prioritySchema, projectIdInput, success, taskSchema } from '../shapes.ts';
import { taskRecord } from '../task/task.ts';
import { readTask } from '../task/tasks.ts';
import { problem } from '../problem.ts';

export const createTask = defineOperation({
  name: 'create_task',
  toolsets: ['admin'],
  effect: 'write',
  summary: 'Make a task. It begins in the backlog; update_task_status moves it on.',
  example: '--project-id prj_frontend --title "Login screen" --assignee-id agt_developer --priority high',
  input: z.strictObject({
    project_id: projectIdInput,
    title: z.string().min(1).describe('What is to be done, in a line'),
    description: z.string().optional().describe('What is to be done, in full'),
    assignee_id: z.string().optional().describe('The agent that should do it'),
    priority: prioritySchema.default('medium').describe('The more urgent one is started first'),
    depends_on: z.array(z.string()).optional().describe('Tasks that must be done before it can start'),
    process_id: z.string().optional().describe('A process of the gate; it is done when its run is over'),
    acceptance: manyTexts.optional().describe('What must hold when it is done'),
    parent_id: z.string().optional().describe('The task that it is a part of'),
    labels: z.array(z.string()).optional().describe('Words to find it by'),
  }),
  output: z.object({ success, task_id: z.string(), task: taskSchema }),
  async run(context, input) {
    await readProject(context, input.project_id);
    if (input.assignee_id !== undefined) await readAgent(context, input.assignee_id);
    await requireTasks(context, [
      ...(input.depends_on ?? []),
      ...(input.parent_id === undefined ? [] : [input.parent_id]),
    ]);
    if (input.process_id !== undefined) await findDefinition(context, input.process_id);
    const id = context.newId('tsk_');
    const fields = {
      title: input.title,
      description: input.description ?? '',
      status: 'backlog' as const,
      priority: input.priority,
      assigneeId: input.assignee_id ?? null,
      parentId: input.parent_id ?? null,
      dependsOn: [...new Set(input.depends_on)],
      labels: input.labels ?? [],
      acceptance: listOf(input.acceptance ?? []),
      processId: input.process_id ?? null,
    };
    const outcome = await context.store.commit(insertTask(context, { id, projectId: input.project_id, ...fields }), [
      entry(context, id, 'task.created', { project: input.project_id, ...input, acceptance: fields.acceptance }),
    ]);
    if (!outcome.done) throw problem.ID_TAKEN({ id });
    return { success: true as const, task_id: id, task: taskRecord(await readTask(context, id)) };
  },
});
