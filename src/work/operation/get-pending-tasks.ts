import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { openSession } from '../session/sessions.ts';
import { cursorInput, nextCursor, prioritySchema, sessionToken, success, taskNumber } from '../shapes.ts';
import { oldestFirst, readTaskPage } from '../task/page.ts';
import { words } from '../words.ts';

export const getPendingTasks = defineOperation({
  name: 'get_pending_tasks',
  toolsets: ['work'],
  effect: 'read',
  replacedBy: 'get_my_task',
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
        number: taskNumber,
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
    const pending = {
      sql: `t.assignee_id = :agent and t.project_id = :project and t.status in ('in_progress', 'todo')`,
      args: { agent: session.agentId, project: session.projectId },
    };
    const page = await readTaskPage(context, pending, oldestFirst, input);
    return {
      success: true as const,
      tasks: page.tasks.map((task) => ({
        taskId: task.id,
        number: task.number,
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
