import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodeCursor } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { optional, text } from '../../kernel/store/row.ts';
import type { Row } from '../../kernel/store/store.ts';
import { cursorInput, nextCursor, success, taskNumber } from '../shapes.ts';
import { numberIn } from '../task/task.ts';
import { described, words } from '../words.ts';

export const listInstances = defineOperation({
  name: 'list_instances',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'The agents assigned to projects, each with its live session and task, the Runner that has claimed it, and its failures in a row.',
  ),
  example: '--project-id prj_frontend',
  input: z.strictObject({
    project_id: described(z.string().optional(), 'Only of this project'),
    agent_id: described(z.string().optional(), 'Only of this agent'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    success,
    instances: z.array(
      z.object({
        agent_id: z.string(),
        agent_name: z.string(),
        agent_status: z.string(),
        project_id: z.string(),
        project_name: z.string(),
        project_status: z.string(),
        assigned_at: z.string(),
        session: described(
          z
            .object({
              since: z.string(),
              until: z.string(),
              task_id: z.string().nullable(),
              task_number: taskNumber,
              task_title: z.string().nullable(),
            })
            .nullable(),
          'The live session, if any',
        ),
        runner: described(
          z
            .object({
              name: z.string(),
              until: z.string(),
              instance: described(z.string().nullable(), 'Its agent in list_agents'),
            })
            .nullable(),
          'The Runner that has claimed the pair, if any',
        ),
        failures: described(z.number(), 'Failures in a row'),
        failed_at: z.string().nullable(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(context, { project_id: project, agent_id: agent, limit, cursor }) {
    const [afterAgent = '', afterProject = ''] = (decodeCursor(cursor) ?? '').split(' ');
    const [rows = []] = await context.store.read([
      {
        sql: `select w.*, g.name as agent_name, g.status as agent_status, p.name as project_name, p.status as project_status,
            s.created_at as session_since, s.task_id as task_id, t.number as number, t.title as task_title
          from work_assignment w join work_agent g on g.id = w.agent_id join work_project p on p.id = w.project_id
          left join work_session s on s.hash = w.session left join work_task t on t.id = s.task_id
          where (w.agent_id > :afterAgent or (w.agent_id = :afterAgent and w.project_id > :afterProject))
            ${project === undefined ? '' : 'and w.project_id = :project'} ${agent === undefined ? '' : 'and w.agent_id = :agent'}
          order by w.agent_id, w.project_id limit :limit`,
        args: {
          afterAgent,
          afterProject,
          ...(project !== undefined && { project }),
          ...(agent !== undefined && { agent }),
          limit: limit + 1,
        },
      },
    ]);
    const now = context.now().toISOString();
    const page = cutPage(rows, limit, (row) => `${text(row, 'agent_id')} ${text(row, 'project_id')}`);
    return {
      success: true as const,
      instances: page.rows.map((row) => ({
        agent_id: text(row, 'agent_id'),
        agent_name: text(row, 'agent_name'),
        agent_status: text(row, 'agent_status'),
        project_id: text(row, 'project_id'),
        project_name: text(row, 'project_name'),
        project_status: text(row, 'project_status'),
        assigned_at: text(row, 'assigned_at'),
        session: sessionIn(row, now),
        runner: runnerIn(row, now),
        failures: Number(row['failures']),
        failed_at: optional(row, 'failed_at'),
      })),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});

function sessionIn(row: Row, now: string) {
  const since = optional(row, 'session_since');
  const until = optional(row, 'session_expires_at') ?? '';
  if (since === null || until <= now) return null;
  return {
    since,
    until,
    task_id: optional(row, 'task_id'),
    task_number: numberIn(row),
    task_title: optional(row, 'task_title'),
  };
}

function runnerIn(row: Row, now: string) {
  const name = optional(row, 'claim_runner');
  const until = optional(row, 'claim_expires_at') ?? '';
  return name === null || until <= now ? null : { name, until, instance: optional(row, 'claim_agent') };
}
