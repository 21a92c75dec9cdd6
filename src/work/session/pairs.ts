import type { Context } from '../../kernel/context.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { addressedQuery } from '../task/handoffs.ts';

/** A pair of agent and project that may run: both active, and the one assigned to the other. */
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

/** Tasks that the agent is at, without those that it has handed to another who has not come yet. */
export const inHand = `t.assignee_id = :agent and t.project_id = :project and t.status = 'in_progress' and not exists (
  select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id <> :agent)`;

/** Whether an instance should be started, and of which kind. Claims nothing. */
export async function shouldStart(context: Context, agentId: string, projectId: string): Promise<string | undefined> {
  const [[pair] = [], working = [], handed = []] = await context.store.read([
    pairQuery(agentId, projectId),
    {
      sql: `select t.id from work_task t where ${inHand} limit 1`,
      args: { agent: agentId, project: projectId },
    },
    addressedQuery(agentId, projectId),
  ]);
  if (pair === undefined || isRunning(pair, context.now().toISOString())) return undefined;
  return working.length + handed.length > 0 ? text(pair, 'ai_type') : undefined;
}
