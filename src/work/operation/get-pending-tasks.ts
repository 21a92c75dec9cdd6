import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { text } from '../../kernel/store/row.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { openSession } from '../session/sessions.ts';
import { cursorInput, nextCursor, prioritySchema, sessionToken, success } from '../shapes.ts';
import { selectTasks, toTask } from '../task/task.ts';
import { words } from '../words.ts';

export const getPendingTasks = defineOperation({
  name: 'get_pending_tasks',
  toolsets: ['work'],
  effect: 'read',
  summary: words(
    'Deprecated: use get_my_task. The tasks of this session’s agent in its project that are in progress or to do.',
  ),
  example: '--session-token sess_…',
  input: z.strictObject({ session_token: sessionToken, limit: limitInput, cursor: cursorInput }),
  output: z.object({
    success,
    tasks: z.array(
      z.object({
        taskId: z.string(),
        projectId: z.string(),
        title: z.string(),
        description: z.string(),
        priority: prioritySchema,
        workingDirectory: z.string(),
        assignedAt: z.string(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(given, input) {
    const { session, context } = await openSession(given, input.session_token);
    const [rows = []] = await context.store.read([
      {
        sql: `${selectTasks} where t.assignee_id = :agent and t.project_id = :project and t.status in ('in_progress', 'todo')
          and t.ord > :after order by t.ord limit :limit`,
        args: {
          agent: session.agentId,
          project: session.projectId,
          after: decodeCursor(input.cursor) ?? '',
          limit: input.limit + 1,
          now: context.now().toISOString(),
        },
      },
    ]);
    const page = cutPage(rows, input.limit, (row) => text(row, 'ord'));
    return {
      success: true as const,
      tasks: page.rows.map(toTask).map((task) => ({
        taskId: task.id,
        projectId: task.projectId,
        title: task.title,
        description: task.description,
        priority: task.priority,
        workingDirectory: session.workingDirectory,
        assignedAt: task.assignedAt ?? task.createdAt,
      })),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
