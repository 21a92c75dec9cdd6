import type { Context } from '../../kernel/context.ts';
import type { Row } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { fleetProblem } from '../../fleet/index.ts';
import { problem } from '../problem.ts';
import { readPage } from '../task/page.ts';

/** The states of an agent. Only an active agent can authenticate; the other states say why it cannot. */
export const agentStatuses = ['active', 'inactive', 'suspended', 'archived'] as const;

/** An agent without its passkey: the store has only the hash. */
export function agentRecord(row: Row) {
  return {
    agent_id: text(row, 'id'),
    agent_name: text(row, 'name'),
    role: text(row, 'role'),
    ai_type: text(row, 'ai_type'),
    system_prompt: text(row, 'system_prompt'),
    status: text(row, 'status'),
    created_at: text(row, 'created_at'),
    updated_at: text(row, 'updated_at'),
  };
}

export async function findAgent(context: Context, id: string): Promise<Row | undefined> {
  const [[row] = []] = await context.store.read([{ sql: 'select * from work_agent where id = :id', args: { id } }]);
  return row;
}

export async function readAgent(context: Context, id: string): Promise<Row> {
  const row = await findAgent(context, id);
  if (row === undefined) throw fleetProblem.AGENT_NOT_FOUND({ agentId: id });
  return row;
}

/** Throws unless the agent exists and is assigned to the project. */
export async function requireMember(context: Context, agentId: string, projectId: string): Promise<void> {
  await readAgent(context, agentId);
  if (!(await projectsOf(context, agentId)).includes(projectId))
    throw problem.NOT_ASSIGNED({ agent_id: agentId, project_id: projectId });
}

export async function projectsOf(context: Context, agentId: string): Promise<readonly string[]> {
  const [rows = []] = await context.store.read([
    { sql: 'select project_id from work_assignment where agent_id = :id order by project_id', args: { id: agentId } },
  ]);
  return rows.map((row) => text(row, 'project_id'));
}

/** Reads a page of all agents, for `list_agents`. */
export async function listProfiles(context: Context, limit: number, cursor: string | undefined) {
  const query = { sql: 'select * from work_agent where ord > :after order by ord', args: {} };
  const { rows, next } = await readPage(context, query, 'ord', { limit, cursor });
  return { rows: rows.map(agentRecord), next };
}
