import type { Query, Row } from '../../kernel/store/store.ts';
import { optional } from '../../kernel/store/row.ts';

/** Selects a pair of agent and project that may run: both are active, and the agent is assigned to the project. */
export function pairQuery(agentId: string, projectId: string): Query {
  return {
    sql: `select w.*, g.ai_type as ai_type from work_assignment w join work_agent g on g.id = w.agent_id join work_project p on p.id = w.project_id
      where w.agent_id = :agent and w.project_id = :project and g.status = 'active' and p.status = 'active'`,
    args: { agent: agentId, project: projectId },
  };
}

export function isRunning(pair: Row, now: string): boolean {
  const until = (column: string) => optional(pair, column) ?? '';
  return (
    (pair['session'] !== null && until('session_expires_at') > now) ||
    (pair['claim'] !== null && until('claim_expires_at') > now)
  );
}

/** SQL condition: the task is in progress with the agent and has no pending hand-off to another agent. */
export const inHand = `t.assignee_id = :agent and t.project_id = :project and t.status = 'in_progress' and not exists (
  select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id <> :agent)`;
