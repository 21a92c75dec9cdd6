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

interface Reservation {
  /** The Runner's name. */
  readonly runner: string;
  /** The task that the instance works on. */
  readonly task: string;
  /** The failures of the pair as the Runner read them: another number means that an instance has ended meanwhile. */
  readonly failures: number;
}

const sessions = 'select hash from work_session where claim = :claim';

/** SQL condition: the task is handed over to the agent, or to another one. */
const handedTo = (compare: '=' | '<>') => `exists (
  select 1 from work_handoff h where h.task_id = work_task.id and h.status = 'pending' and h.to_agent_id ${compare} :agent)`;

/** SQL condition: the instance completed, its session ended in order, and no task of its agent was left in progress. */
const wentWell = `:outcome = 'completed' and exists (
    select 1 from work_session s where s.claim = :claim and s.end_reason in ('reported', 'logout'))
  and not exists (select 1 from work_session s join work_task t on t.id = s.task_id
    where s.claim = :claim and t.status = 'in_progress' and t.reported is null and t.assignee_id = s.agent_id and not exists (
      select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id is not null))`;

/** Claims a free pair for an instance and reserves the task for it. A conflict if either is taken. */
export function claimWrites(
  { claim, agentId, projectId, runner, task, failures }: Omit<Claim, 'state'> & Reservation,
  { at, until }: { readonly at: string; readonly until: string },
): readonly Write[] {
  return [
    {
      sql: `update work_assignment set claim = :claim, claim_runner = :runner, claim_agent = null, claim_log = null, claim_task = :task, claim_expires_at = :until
        where agent_id = :agent and project_id = :project and failures = :failures
          and (claim is null or claim_expires_at <= :now) and (session is null or session_expires_at <= :now)`,
      args: { claim, runner, task, agent: agentId, project: projectId, failures, now: at, until },
      rows: 1,
    },
    // One instance at a time works on a task: its tree has one editor. The row is locked by a statement of its own, because on
    // PostgreSQL a statement that waited for a row still sees other tables as they were before.
    { sql: 'update work_task set revision = revision where id = :task', args: { task }, rows: 1 },
    {
      sql: `update work_task set revision = revision where id = :task and not exists (
          select 1 from work_assignment where claim_task = :task and claim <> :claim and claim_expires_at > :now)`,
      args: { task, claim, now: at },
      rows: 1,
    },
  ];
}

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
    // An instance that a person stopped does not count as an attempt, nor one that handed the task over. One that was to
    // accept the task and did not counts, whatever the state of the task.
    own(
      `update work_task set attempts = coalesce(attempts, 0) + 1, failure = :why
        where id in (select claim_task from work_assignment where claim = :claim) and :outcome <> 'cancelled' and reported is null
          and (status in ('todo', 'in_progress') or (status = 'blocked' and ${handedTo('=')})) and not ${handedTo('<>')}`,
      { outcome: end?.outcome ?? '', why: end?.reason ?? null, agent: agentId },
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
      `update work_assignment set claim = null, claim_runner = null, claim_agent = null, claim_log = null, claim_task = null, claim_expires_at = null
        where claim = :claim`,
    ),
  ];
};
