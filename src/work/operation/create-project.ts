import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { insertProject, projectRecord } from '../task/projects.ts';
import { lineInput, newId, projectSchema, success } from '../shapes.ts';
import { claimRoot } from '../ports.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const createProject = defineOperation({
  name: 'create_project',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Create a project. It is active immediately.'),
  example: '--name "Frontend App" --working-directory /projects/frontend',
  input: z.strictObject({
    name: described(lineInput, 'Display name'),
    working_directory: described(
      z.string().min(1),
      'Working directory of its agents; a relative path starts at this project’s folder',
    ),
    auto_start: described(
      z.boolean().default(false),
      'Start an assigned todo automatically when its last dependency is done',
    ),
    pool: described(z.boolean().optional(), 'Agents may take unassigned tasks'),
    id: described(newId, 'Its id; a new one if omitted'),
  }),
  output: z.object({ success, project_id: z.string(), project: projectSchema }),
  async run(context, input) {
    const at = context.now().toISOString();
    const folder = input.working_directory;
    const row = {
      id: input.id ?? context.newId('prj_'),
      ord: context.newId(''),
      name: input.name,
      working_directory: isAbsolute(folder) || folder.startsWith('~') ? folder : resolve(context.project.tree, folder),
      status: 'active',
      auto_start: input.auto_start ? 1 : 0,
      pool: input.pool === true ? 1 : 0,
      created_at: at,
      updated_at: at,
    };
    const claim = claimRoot.of(context);
    const elsewhere = claim(row.working_directory, 'look');
    if (elsewhere !== undefined) throw problem.FOLDER_TAKEN({ folder: row.working_directory, database: elsewhere });
    const outcome = await context.store.commit(
      [insertProject(row)],
      [entry(context, row.id, 'project.created', { name: row.name, working_directory: row.working_directory })],
    );
    if (!outcome.done) throw problem.ID_TAKEN({ id: row.id });
    // After the commit, so that a failed creation registers no folder.
    claim(row.working_directory);
    return { success: true as const, project_id: row.id, project: projectRecord(row) };
  },
});
