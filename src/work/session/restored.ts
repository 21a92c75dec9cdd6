import type { RestoredWrites } from '../../kernel/store/restoring.ts';
import { text } from '../../kernel/store/row.ts';
import type { Row, Write } from '../../kernel/store/store.ts';

/** Ends every session, claim and execution of the backup. Agents keep today's passkey, status and removed assignments. */
export const restored: RestoredWrites = async ({ at, present }) => {
  const [agents = [], projects = [], assigned = []] =
    (await present?.read([
      { sql: 'select id, passkey, status from work_agent', args: {} },
      { sql: 'select id from work_project', args: {} },
      { sql: 'select agent_id, project_id from work_assignment', args: {} },
    ])) ?? [];
  return [
    { sql: `update work_session set ended_at = :at, end_reason = 'restored' where ended_at is null`, args: { at } },
    { sql: `update work_execution set status = 'error', completed_at = :at where status = 'running'`, args: { at } },
    { sql: 'update work_task set session = null where session is not null', args: {} },
    {
      sql: `update work_assignment set session = null, session_expires_at = null, claim = null, claim_runner = null,
          claim_agent = null, claim_log = null, claim_expires_at = null
        where session is not null or claim is not null`,
      args: {},
    },
    ...agents.map(keepCredential),
    ...agents.flatMap((agent) => keepUnassigned(text(agent, 'id'), projects, assigned)),
  ];
};

function keepCredential(agent: Row): Write {
  return {
    sql: `update work_agent set passkey = :passkey, status = :status
      where id = :id and (passkey <> :passkey or status <> :status)`,
    args: { id: text(agent, 'id'), passkey: text(agent, 'passkey'), status: text(agent, 'status') },
  };
}

/** Removes the assignments that were deleted after the backup. */
function keepUnassigned(agent: string, projects: readonly Row[], assigned: readonly Row[]): readonly Write[] {
  const own = new Set(assigned.filter((row) => row['agent_id'] === agent).map((row) => row['project_id']));
  const others = projects.map((row) => text(row, 'id')).filter((id) => !own.has(id));
  if (others.length === 0) return [];
  const names = others.map((_id, index) => `p${index}`);
  return [
    {
      sql: `delete from work_assignment where agent_id = :agent and project_id in (${names.map((name) => `:${name}`).join(', ')})`,
      args: { agent, ...Object.fromEntries(names.map((name, index) => [name, others[index] ?? ''])) },
    },
  ];
}
