import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { projectRecord, readProject } from '../task/projects.ts';
import { lineInput, projectIdInput, projectSchema, success } from '../shapes.ts';
import { described, words } from '../words.ts';

export const updateProject = defineOperation({
  name: 'update_project',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words('Change a project. Omitted fields keep their value.'),
  example: '--project-id prj_frontend --auto-start',
  input: z.strictObject({
    project_id: projectIdInput,
    name: described(lineInput.optional(), 'Display name'),
    auto_start: described(
      z.boolean().optional(),
      'Start an assigned todo automatically when its last dependency is done',
    ),
    pool: described(z.boolean().optional(), 'Agents may take unassigned tasks'),
  }),
  output: z.object({ success, project: projectSchema }),
  async run(context, input) {
    const before = projectRecord(await readProject(context, input.project_id));
    const name = input.name ?? before.project_name;
    const auto = input.auto_start ?? before.auto_start;
    const pool = input.pool ?? before.pool;
    await context.store.commit(
      [
        {
          sql: 'update work_project set name = :name, auto_start = :auto, pool = :pool, updated_at = :at where id = :id',
          args: { id: input.project_id, name, auto: auto ? 1 : 0, pool: pool ? 1 : 0, at: context.now().toISOString() },
        },
      ],
      [
        entry(context, input.project_id, 'project.updated', {
          changes: {
            ...(name !== before.project_name && { name: { from: before.project_name, to: name } }),
            ...(auto !== before.auto_start && { auto_start: { from: before.auto_start, to: auto } }),
            ...(pool !== before.pool && { pool: { from: before.pool, to: pool } }),
          },
        }),
      ],
    );
    return { success: true as const, project: projectRecord(await readProject(context, input.project_id)) };
  },
});
