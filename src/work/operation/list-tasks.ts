import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { readAgent } from '../session/agents.ts';
import { readProject } from '../task/projects.ts';
import { cursorInput, lineInput, nextCursor, prioritySchema, statusSchema, success, taskSchema } from '../shapes.ts';
import { filtersOf } from '../task/filters.ts';
import { selectTasks, taskRecord, toTask } from '../task/task.ts';
import { readTask } from '../task/tasks.ts';
import { described, words } from '../words.ts';

const ListTasksInput = z.strictObject({
  project_id: described(z.string().optional(), 'Only of this project'),
  status: described(statusSchema.optional(), 'Only in this state'),
  assignee_id: described(z.string().optional(), 'Only of this agent'),
  parent_id: described(z.string().optional(), 'Only children of this task'),
  text: described(lineInput.optional(), 'Only with this text in the title or description'),
  label: described(lineInput.optional(), 'Only with this label'),
  priority: described(prioritySchema.optional(), 'Only of this priority'),
  ready: described(z.boolean().optional(), 'true: todo tasks that can start now; false: all others'),
  limit: limitInput,
  cursor: cursorInput,
});

export const listTasks = defineOperation({
  name: 'list_tasks',
  toolsets: ['work'],
  effect: 'read',
  summary: words('Tasks filtered by project, agent, state or readiness, oldest first.'),
  example: '--project-id prj_frontend --status todo',
  input: ListTasksInput,
  output: z.object({ success, tasks: z.array(taskSchema), next_cursor: nextCursor }),
  async run(context, input) {
    if (input.project_id !== undefined) await readProject(context, input.project_id);
    if (input.assignee_id !== undefined) await readAgent(context, input.assignee_id);
    if (input.parent_id !== undefined) await readTask(context, input.parent_id);
    const given = filtersOf(input);
    const [rows = []] = await context.store.read([
      {
        sql: `${selectTasks} where ${given.sql} and t.ord > :after order by t.ord limit :limit`,
        args: {
          ...given.args,
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
