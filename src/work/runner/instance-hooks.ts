import { join } from 'node:path';
import { instanceHolder } from '../../gate/index.ts';
import type { HookWrite, Hooks } from '../../fleet/index.ts';

/** One pair of agent and project, claimed for one instance. */
export interface Claim {
  readonly id: string;
  readonly agentId: string;
  readonly projectId: string;
  readonly leaseMs: number;
  /** Where its host keeps files: `agents/<id of the instance>/` holds the log. */
  readonly home: string;
}

const sessions = 'select hash from work_session where claim = :claim';

/** It did what it was started for: its session ended in order, and nothing was left lying about. */
const wentWell = `:outcome = 'completed' and exists (
    select 1 from work_session s where s.claim = :claim and s.end_reason in ('reported', 'logout'))
  and not exists (select 1 from work_session s join work_task t on t.id = s.task_id
    where s.claim = :claim and t.status = 'in_progress' and t.assignee_id = s.agent_id and not exists (
      select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id is not null))`;

/** What the instance's host commits together with its own: the pair is its from the start, as long as it lives, and free when it ends. */
export function instanceHooks(claim: Claim): Hooks {
  const own = { claim: claim.id };
  const end = (sql: string, uses: HookWrite['uses'] = []): HookWrite => ({ sql, args: own, uses });
  return {
    leaseMs: claim.leaseMs,
    start: [
      {
        sql: `update work_assignment set claim_expires_at = :until, claim_agent = :agent,
          claim_log = cast(:folder as text) || cast(:agent as text) || cast(:file as text) where claim = :claim`,
        args: { ...own, folder: join(claim.home, 'agents', '/'), file: '/output-00000000000000.log' },
        uses: ['until', 'agent'],
        rows: 1,
      },
    ],
    // A host that lost its claim must end its child: somebody else may have been started.
    beat: [
      {
        sql: `update work_assignment set claim_expires_at = :until,
            session_expires_at = case when session in (${sessions}) then :until else session_expires_at end
          where claim = :claim and claim_expires_at > :now`,
        args: own,
        uses: ['until', 'now'],
        rows: 1,
      },
    ],
    end: [
      end(
        `update work_execution set exit_code = (select exit_code from fleet_agent where id = :agent),
            status = case when status <> 'running' then status else (select case when exit_code = 0 then 'completed'
              when exit_code between 1 and 127 then 'failed' else 'error' end from fleet_agent where id = :agent) end,
            completed_at = coalesce(completed_at, :now) where claim = :claim`,
        ['agent', 'now'],
      ),
      end(
        `update work_assignment set failures = case when ${wentWell} then 0 else failures + 1 end,
            failed_at = case when ${wentWell} then null else :now end where claim = :claim`,
        ['outcome', 'now'],
      ),
      end(`update work_task set session = null where session in (${sessions})`),
      {
        sql: 'delete from run_holder where holder = :holder',
        args: { holder: instanceHolder({ agentId: claim.agentId, projectId: claim.projectId }) },
      },
      end(
        `delete from run_holder where holder in (select 'connection:' || connection from work_session where claim = :claim)`,
      ),
      end(
        `update work_assignment set session = null, session_expires_at = null where claim = :claim and session in (${sessions})`,
      ),
      end(`update work_session set ended_at = :now, end_reason = 'ended' where claim = :claim and ended_at is null`, [
        'now',
      ]),
      end(
        `update work_assignment set claim = null, claim_runner = null, claim_agent = null, claim_log = null, claim_expires_at = null where claim = :claim`,
      ),
    ],
  };
}
