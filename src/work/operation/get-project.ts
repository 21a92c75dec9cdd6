import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { agentsOf, projectRecord, readProject } from '../task/projects.ts';
import { projectIdInput, projectSchema, success } from '../shapes.ts';
import { statuses } from '../task/task.ts';
import { words } from '../words.ts';

export const getProject = defineOperation({
  name: 'get_project',
  toolsets: ['work'],
  effect: 'read',
  summary: words('A project with its agents and how many tasks it has in each state.'),
  example: '--project-id prj_frontend',
  input: z.strictObject({ project_id: projectIdInput }),
  output: z.object({
    success,
    project: projectSchema.extend({
      agents: z.array(z.string()).readonly(),
      tasks: z.record(z.enum(statuses), z.number()),
    }),
  }),
  async run(context, input) {
    const row = await readProject(context, input.project_id);
    const agents = await agentsOf(context, input.project_id);
    const [counts = []] = await context.store.read([
      {
        sql: 'select status, count(*) as number from work_task where project_id = :id group by status',
        args: { id: input.project_id },
      },
    ]);
    const number = (status: string) => Number(counts.find((one) => one['status'] === status)?.['number'] ?? 0);
    const tasks = Object.fromEntries(statuses.map((status) => [status, number(status)])) as Record<
      (typeof statuses)[number],
      number
    >;
    return { success: true as const, project: { ...projectRecord(row), agents, tasks } };
  },
});
