import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { projectRecord, projectStatuses, readProject } from '../task/projects.ts';
import { projectIdInput, projectSchema, success } from '../shapes.ts';
import { described, words } from '../words.ts';

export const setProjectStatus = defineOperation({
  name: 'set_project_status',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words(
    'Activate or pause a project. Agents are started for active projects only; running agents can finish.',
  ),
  example: '--project-id prj_frontend --status inactive',
  input: z.strictObject({ project_id: projectIdInput, status: described(z.enum(projectStatuses), 'Its new state') }),
  output: z.object({ success, project: projectSchema }),
  async run(context, input) {
    const before = await readProject(context, input.project_id);
    const at = context.now().toISOString();
    await context.store.commit(
      [
        {
          sql: 'update work_project set status = :status, updated_at = :at where id = :id',
          args: { id: input.project_id, status: input.status, at },
        },
      ],
      [
        entry(context, input.project_id, 'project.updated', {
          changes: { status: { from: before['status'], to: input.status } },
        }),
      ],
    );
    return { success: true as const, project: projectRecord(await readProject(context, input.project_id)) };
  },
});
