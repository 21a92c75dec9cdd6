import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/page.ts';
import { text } from '../../kernel/row.ts';
import { limitInput } from '../../kernel/page-input.ts';
import { readProject } from '../task/projects.ts';
import { cursorInput, nextCursor, statusSchema, success, taskSchema } from '../shapes.ts';
import { selectTasks, taskRecord, toTask } from '../task/task.ts';

export const listTasks = defineOperation({
  name: 'list_tasks',
  toolsets: ['work'],
  effect: 'read',
  summary: 'Tasks of a project, an agent or a state, in the order in which they were made.',
  example: '--project-id prj_frontend --status todo',
  input: z.strictObject({
    project_id: z.string().optional().describe('Only of this project'),
    status: statusSchema.optional().describe('Only in this state'),
    assignee_id: z.string().optional().describe('Only of this agent'),
    parent_id: z.string().optional().describe('Only children of this task'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ success, tasks: z.array(taskSchema), next_cursor: nextCursor }),
  async run(context, input) {
    if (input.project_id !== undefined) await readProject(context, input.project_id);
    const filters = {
      project_id: input.project_id,
      status: input.status,
      assignee_id: input.assignee_id,
      parent_id: input.parent_id,
    };
    const given = Object.entries(filters).flatMap(([column, value]) =>
      value === undefined ? [] : [[column, value]],
    ) as [string, string][];
    const [rows = []] = await context.store.read([
      {
        sql: `${selectTasks} where ${[...given.map(([column]) => `t.${column} = :${column}`), 't.ord > :after'].join(' and ')}
          order by t.ord limit :limit`,
        args: {
          ...Object.fromEntries(given),
          after: decodeCursor(input.cursor) ?? '',
          limit: input.limit + 1,
          now: context.now().toISOString(),
        },
      },
    ]);
    const page = cutPage(rows, input.limit, (row) => text(row, 'ord'));
    return {
      success: true as const,
      tasks: page.rows.map((row) => taskRecord(toTask(row))),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
