import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { nextCursorField, readPage } from '../task/page.ts';
import { projectRecord } from '../task/projects.ts';
import { cursorInput, nextCursor, projectSchema, success } from '../shapes.ts';
import { words } from '../words.ts';

export const listProjects = defineOperation({
  name: 'list_projects',
  toolsets: ['work'],
  effect: 'read',
  summary: words('All projects, oldest first.'),
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: z.object({ success, projects: z.array(projectSchema), next_cursor: nextCursor }),
  async run(context, input) {
    const query = { sql: 'select * from work_project where ord > :after order by ord', args: {} };
    const { rows, next } = await readPage(context, query, 'ord', input);
    return { success: true as const, projects: rows.map(projectRecord), ...nextCursorField(next) };
  },
});
