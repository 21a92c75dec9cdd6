import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/page.ts';
import { text } from '../../kernel/row.ts';
import type { Query } from '../../kernel/store.ts';
import { limitInput } from '../../kernel/page-input.ts';
import { readAgent } from '../session/agents.ts';
import { readProject } from '../task/projects.ts';
import { cursorInput, lineInput, nextCursor, prioritySchema, statusSchema, success, taskSchema } from '../shapes.ts';
import { isReady, priorities, selectTasks, taskRecord, toTask } from '../task/task.ts';
import { readTask } from '../task/tasks.ts';

const ListTasksInput = z.strictObject({
  project_id: z.string().optional().describe('Only of this project'),
  status: statusSchema.optional().describe('Only in this state'),
  assignee_id: z.string().optional().describe('Only of this agent'),
  parent_id: z.string().optional().describe('Only children of this task'),
  text: lineInput.optional().describe('Only with this in title or description'),
  label: lineInput.optional().describe('Only with this label'),
  priority: prioritySchema.optional().describe('Only of this priority'),
  ready: z.boolean().optional().describe('true: todo tasks that wait for nothing; false: the others'),
  limit: limitInput,
  cursor: cursorInput,
});

export const listTasks = defineOperation({
  name: 'list_tasks',
  toolsets: ['work'],
  effect: 'read',
  summary: 'Tasks by project, agent, state or what can start now, oldest first.',
  example: '--project-id prj_frontend --status todo',
  input: ListTasksInput,
  output: z.object({ success, tasks: z.array(taskSchema), next_cursor: nextCursor }),
  async run(context, input) {
    if (input.project_id !== undefined) await readProject(context, input.project_id);
    if (input.assignee_id !== undefined) await readAgent(context, input.assignee_id);
    if (input.parent_id !== undefined) await readTask(context, input.parent_id);
    const given = filtersOf(input).filter((one) => one !== undefined);
    const [rows = []] = await context.store.read([
      {
        sql: `${selectTasks} where ${[...given.map(({ sql }) => sql), 't.ord > :after'].join(' and ')}
          order by t.ord limit :limit`,
        args: {
          ...Object.assign({}, ...given.map(({ args }) => args)),
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

type Filter = Query | undefined;

function filtersOf(wanted: z.output<typeof ListTasksInput>): readonly Filter[] {
  const equal = (column: 'project_id' | 'status' | 'assignee_id' | 'parent_id'): Filter => {
    const value = wanted[column];
    return value === undefined ? undefined : { sql: `t.${column} = :${column}`, args: { [column]: value } };
  };
  const { text: words, label, priority, ready } = wanted;
  return [
    equal('project_id'),
    equal('status'),
    equal('assignee_id'),
    equal('parent_id'),
    // By what is left without it: the databases have no other way in common that knows no wildcards.
    words === undefined
      ? undefined
      : {
          sql: `(replace(lower(t.title), lower(:text), '') <> lower(t.title)
            or replace(lower(t.description), lower(:text), '') <> lower(t.description))`,
          args: { text: words },
        },
    label === undefined ? undefined : hasLabel(label),
    priority === undefined
      ? undefined
      : { sql: 't.priority = :priority', args: { priority: priorities.indexOf(priority) } },
    ready === undefined ? undefined : { sql: `${ready ? '' : 'not '}(${isReady})`, args: {} },
  ];
}

/** Labels are kept as a JSON list, in which a quote after "[" or "," begins one. */
function hasLabel(label: string): Query {
  const written = JSON.stringify(label);
  return {
    sql: `(replace(t.labels, :first, '') <> t.labels or replace(t.labels, :next, '') <> t.labels)`,
    args: { first: `[${written}`, next: `,${written}` },
  };
}
