import type { Context } from '../../kernel/context.ts';
import type { Row, Write } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { afterSession } from './sessions.ts';

/** The writes that end the agent's sessions in one project or in all, when the agent loses the right to them. */
export async function revokeSessions(context: Context, agentId: string, projectId?: string): Promise<readonly Write[]> {
  const [rows = []] = await context.store.read([
    {
      sql: `select a.agent_id as agent_id, a.project_id as project_id, a.session as session, a.claim as claim
        from work_assignment a join work_session s on s.hash = a.session
        where a.agent_id = :agent ${projectId === undefined ? '' : 'and a.project_id = :project'}`,
      args: { agent: agentId, ...(projectId !== undefined && { project: projectId }) },
    },
  ]);
  const at = context.now().toISOString();
  return [
    {
      // The host of an instance ends it when the claim is gone.
      sql: `update work_assignment set session = null, session_expires_at = null, claim = null, claim_expires_at = null
        where agent_id = :agent ${projectId === undefined ? '' : 'and project_id = :project'}`,
      args: { agent: agentId, ...(projectId !== undefined && { project: projectId }) },
    },
    ...rows.flatMap((row: Row) =>
      afterSession(
        {
          hash: text(row, 'session'),
          agentId: text(row, 'agent_id'),
          projectId: text(row, 'project_id'),
          claim: optional(row, 'claim'),
        },
        { at, reason: 'revoked' },
      ),
    ),
  ];
}
