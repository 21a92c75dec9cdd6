import { isAbsolute, resolve } from 'node:path';
import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { insertProject, projectRecord } from '../task/projects.ts';
import { lineInput, newId, projectSchema, success } from '../shapes.ts';
import { claimRoot } from '../ports.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const createProject = defineOperation({
  name: 'create_project',
  toolsets: ['admin'],
  effect: 'write',
  summary: { en: 'Make a project. It is active at once.', ja: 'プロジェクトを作ります。すぐに有効になります。' },
  example: '--name "Frontend App" --working-directory /projects/frontend',
  input: z.strictObject({
    name: told(lineInput, { en: 'What people call it', ja: '表示名' }),
    working_directory: told(z.string().min(1), {
      en: 'Where its agents work; relative: from this project’s folder',
      ja: 'エージェントの作業フォルダー (相対パスはこのプロジェクトから)',
    }),
    auto_start: told(z.boolean().default(false), {
      en: 'An assigned todo begins by itself when the last task that it depends on is done',
      ja: '依存するタスクがすべて終わると、割り当て済みの todo を自動で開始',
    }),
    id: told(newId, { en: 'Its id; left out: a new one', ja: 'ID (省略すると新しく作られます)' }),
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
    // Only now: a project that did not come to be takes no folder.
    claim(row.working_directory);
    return { success: true as const, project_id: row.id, project: projectRecord(row) };
  },
});
