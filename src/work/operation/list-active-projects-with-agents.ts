import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor, maxPageSize } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { cursorInput, nextCursor, success } from '../shapes.ts';
import { described, words } from '../words.ts';

export const listActiveProjectsWithAgents = defineOperation({
  name: 'list_active_projects_with_agents',
  toolsets: ['work'],
  effect: 'read',
  summary: words('The active projects, each with the active agents assigned to it. The Runner’s second step.'),
  input: z.strictObject({
    limit: described(z.int().min(1).max(maxPageSize).default(maxPageSize), 'How many'),
    cursor: cursorInput,
  }),
  output: z.object({
    success,
    projects: z.array(
      z.object({
        project_id: z.string(),
        project_name: z.string(),
        working_directory: z.string(),
        agents: z.array(z.string()),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(context, input) {
    const page = `select * from work_project where status = 'active' and ord > :after order by ord limit :limit`;
    const args = { after: decodeCursor(input.cursor) ?? '', limit: input.limit + 1 };
    const [rows = [], pairs = []] = await context.store.read([
      { sql: page, args },
      {
        sql: `select w.project_id as project_id, w.agent_id as agent_id from work_assignment w
          join work_agent g on g.id = w.agent_id
          where g.status = 'active' and w.project_id in (select id from (${page}) shown) order by g.ord`,
        args,
      },
    ]);
    const shown = cutPage(rows, input.limit, (row) => text(row, 'ord'));
    return {
      success: true as const,
      projects: shown.rows.map((row) => ({
        project_id: text(row, 'id'),
        project_name: text(row, 'name'),
        working_directory: text(row, 'working_directory'),
        agents: pairs.filter((one) => one['project_id'] === row['id']).map((one) => text(one, 'agent_id')),
      })),
      ...(shown.next !== undefined && { next_cursor: shown.next }),
    };
  },
});
