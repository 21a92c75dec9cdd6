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
import { told } from '../../kernel/text/described.ts';

const ListTasksInput = z.strictObject({
  project_id: told(z.string().optional(), { en: 'Only of this project', ja: 'このプロジェクトだけ' }),
  status: told(statusSchema.optional(), { en: 'Only in this state', ja: 'この状態のものだけ' }),
  assignee_id: told(z.string().optional(), { en: 'Only of this agent', ja: 'このエージェントだけ' }),
  parent_id: told(z.string().optional(), { en: 'Only children of this task', ja: 'このタスクの子だけ' }),
  text: told(lineInput.optional(), {
    en: 'Only with this in title or description',
    ja: '題名か説明にこの語を含むものだけ',
  }),
  label: told(lineInput.optional(), { en: 'Only with this label', ja: 'このラベルのものだけ' }),
  priority: told(prioritySchema.optional(), { en: 'Only of this priority', ja: 'この優先度のものだけ' }),
  ready: told(z.boolean().optional(), {
    en: 'true: todo tasks that wait for nothing; false: the others',
    ja: 'true は何も待っていない todo のタスク、false はそれ以外',
  }),
  limit: limitInput,
  cursor: cursorInput,
});

export const listTasks = defineOperation({
  name: 'list_tasks',
  toolsets: ['work'],
  effect: 'read',
  summary: {
    en: 'Tasks by project, agent, state or what can start now, oldest first.',
    ja: 'タスクを、プロジェクト、エージェント、状態、今始められるかで絞り込み、古い順に一覧します。',
  },
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
