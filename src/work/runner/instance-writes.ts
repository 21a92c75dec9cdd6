import { join } from 'node:path';
import { instanceHolder, letGoConnectionsWrite, letGoWrite } from '../../gate/index.ts';
import type { CallbackWrites } from '../../kernel/callback.ts';
import type { Write } from '../../kernel/store/store.ts';
import { statusOfExit } from '../session/executions.ts';

/** One pair of agent and project, claimed for one instance. */
export type Claim = {
  readonly claim: string;
  readonly agentId: string;
  readonly projectId: string;
  /** The folder of the host's files; `agents/<id of the instance>/` in it holds the log. */
  readonly state: string;
};

const sessions = 'select hash from work_session where claim = :claim';

/** SQL condition: the instance completed, its session ended in order, and no task of its agent was left in progress. */
const wentWell = `:outcome = 'completed' and exists (
    select 1 from work_session s where s.claim = :claim and s.end_reason in ('reported', 'logout'))
  and not exists (select 1 from work_session s join work_task t on t.id = s.task_id
    where s.claim = :claim and t.status = 'in_progress' and t.assignee_id = s.agent_id and not exists (
      select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id is not null))`;

export const startedWrites: CallbackWrites<Claim> = ({ claim, state }, { until, agent }) => [
  {
    sql: `update work_assignment set claim_expires_at = :until, claim_agent = :agent, claim_log = :log where claim = :claim`,
    args: { claim, until, agent, log: join(state, 'agents', agent, 'output-00000000000000.log') },
    rows: 1,
  },
];

/** Renews the claim with each heartbeat: only volatile columns. A host that has lost its claim must end its child, because another instance may be running. */
export const renewWrites: CallbackWrites<Claim> = ({ claim }, { at, until }) => [
  {
    sql: `update work_assignment set claim_expires_at = :until,
        session_expires_at = case when session in (${sessions}) then :until else session_expires_at end
      where claim = :claim and claim_expires_at > :now`,
    args: { claim, until, now: at },
    rows: 1,
  },
];

/** Ends the session and frees the pair. No row count is required, because another process may have ended them already. */
export const endedWrites: CallbackWrites<Claim> = ({ claim, agentId, projectId }, { at, ended: end }) => {
  const exitCode = end?.exitCode ?? null;
  const own = (sql: string, args: Write['args'] = {}): Write => ({ sql, args: { claim, ...args } });
  return [
    own(
      `update work_execution set exit_code = coalesce(:exit, exit_code), status = case when status <> 'running' then status else :status end,
        completed_at = coalesce(completed_at, :now) where claim = :claim`,
      { exit: exitCode, status: exitCode === null ? 'error' : statusOfExit(exitCode), now: at },
    ),
    own(
      `update work_assignment set failures = case when ${wentWell} then 0 else failures + 1 end,
        failed_at = case when ${wentWell} then null else :now end where claim = :claim`,
      { outcome: end?.outcome ?? '', now: at },
    ),
    own(`update work_task set session = null where session in (${sessions})`),
    letGoWrite(instanceHolder({ agentId, projectId })),
    letGoConnectionsWrite(own('select connection from work_session where claim = :claim')),
    own(
      `update work_assignment set session = null, session_expires_at = null where claim = :claim and session in (${sessions})`,
    ),
    own(`update work_session set ended_at = :now, end_reason = 'ended' where claim = :claim and ended_at is null`, {
      now: at,
    }),
    own(
      `update work_assignment set claim = null, claim_runner = null, claim_agent = null, claim_log = null, claim_expires_at = null
        where claim = :claim`,
    ),
  ];
};
