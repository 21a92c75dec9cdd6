import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor, maxPageSize } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { executionRecord, selectExecutions } from '../session/executions.ts';
import { readAgent } from '../session/agents.ts';
import { readTask } from '../task/tasks.ts';
import { cursorInput, executionSchema, nextCursor, success } from '../shapes.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

export const listExecutionLogs = defineOperation({
  name: 'list_execution_logs',
  toolsets: ['work'],
  effect: 'read',
  summary: words('Executions of tasks, newest first.'),
  example: '--task-id tsk_…',
  input: z.strictObject({
    task_id: described(z.string().optional(), 'Only of this task'),
    agent_id: described(z.string().optional(), 'Only of this agent'),
    limit: described(z.int().min(1).max(maxPageSize).default(20), 'How many'),
    cursor: cursorInput,
  }),
  output: z.object({ success, logs: z.array(executionSchema), next_cursor: nextCursor }),
  async run(context, input) {
    const taskId = input.task_id === undefined ? undefined : await resolveTaskId(context, input.task_id);
    if (taskId !== undefined) await readTask(context, taskId);
    if (input.agent_id !== undefined) await readAgent(context, input.agent_id);
    const filters = [
      ...(taskId === undefined ? [] : ['e.task_id = :task']),
      ...(input.agent_id === undefined ? [] : ['e.agent_id = :agent']),
    ];
    const [rows = []] = await context.store.read([
      {
        sql: `${selectExecutions} where ${[...filters, 'e.id < :before'].join(' and ')} order by e.id desc limit :limit`,
        args: {
          ...(taskId !== undefined && { task: taskId }),
          ...(input.agent_id !== undefined && { agent: input.agent_id }),
          before: decodeCursor(input.cursor) ?? '~',
          limit: input.limit + 1,
        },
      },
    ]);
    const page = cutPage(rows, input.limit, (row) => text(row, 'id'));
    return {
      success: true as const,
      logs: page.rows.map((row) => executionRecord(row, context.now())),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
