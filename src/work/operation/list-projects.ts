import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
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
    const [rows = []] = await context.store.read([
      {
        sql: 'select * from work_project where ord > :after order by ord limit :limit',
        args: { after: decodeCursor(input.cursor) ?? '', limit: input.limit + 1 },
      },
    ]);
    const page = cutPage(rows, input.limit, (row) => text(row, 'ord'));
    return {
      success: true as const,
      projects: page.rows.map(projectRecord),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
