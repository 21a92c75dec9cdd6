import type { Query, Row, Write } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { isBehindNone } from './task.ts';

export function handoffRecord(row: Row) {
  return {
    handoff_id: text(row, 'id'),
    task_id: text(row, 'task_id'),
    project_id: text(row, 'project_id'),
    from_agent_id: text(row, 'from_agent_id'),
    to_agent_id: optional(row, 'to_agent_id'),
    summary: text(row, 'summary'),
    context: optional(row, 'context'),
    recommendations: optional(row, 'recommendations'),
    status: text(row, 'status') as 'pending' | 'accepted' | 'withdrawn',
    accepted_by: optional(row, 'accepted_by'),
    accepted_at: optional(row, 'accepted_at'),
    created_at: text(row, 'created_at'),
  };
}

/** Selects the newest hand-off of a task that is not withdrawn. */
export function latestHandoffQuery(taskId: string): Query {
  return {
    sql: `select * from work_handoff where task_id = :task and status <> 'withdrawn' order by id desc limit 1`,
    args: { task: taskId },
  };
}

/** SQL condition: the task was handed over to the agent, which can go on with it or start it. */
export const handedOver = `t.project_id = :project and (t.status = 'in_progress' or (t.status in ('todo', 'blocked') and ${isBehindNone})) and exists (
  select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id = :agent)`;

/** Withdraws the pending hand-offs of a task that is closed, reassigned or handed over again. */
export function withdrawHandoffs(taskId: string): Write {
  return {
    sql: `update work_handoff set status = 'withdrawn' where task_id = :task and status = 'pending'`,
    args: { task: taskId },
  };
}

/** Withdraws the pending hand-offs to an agent that leaves a project. */
export function withdrawAddressed(agentId: string, projectId: string): Write {
  return {
    sql: `update work_handoff set status = 'withdrawn' where to_agent_id = :agent and project_id = :project and status = 'pending'`,
    args: { agent: agentId, project: projectId },
  };
}
