import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { agentsOf, projectRecord, readProject, statusCounts, statusCountsQuery } from '../task/projects.ts';
import { projectIdInput, projectSchema, statusSchema, success } from '../shapes.ts';
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
      tasks: z.record(statusSchema, z.number()),
    }),
  }),
  async run(context, input) {
    const row = await readProject(context, input.project_id);
    const agents = await agentsOf(context, input.project_id);
    const [counts = []] = await context.store.read([statusCountsQuery(input.project_id)]);
    return { success: true as const, project: { ...projectRecord(row), agents, tasks: statusCounts(counts) } };
  },
});
