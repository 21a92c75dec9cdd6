import type { RestoredWrites } from '../../kernel/store/restoring.ts';
import { phrase } from '../problem.ts';
import type { Finding } from '../view/state.ts';
import { pauseWrite } from './pause.ts';

/** Ends the agents of the backup, whose hosts no longer run, and pauses the fleet until a person resumes it. */
export const restored: RestoredWrites = async ({ at, say }) => {
  const automatic: Finding = {
    status: 'cancelled',
    summary: '',
    editedFiles: [],
    createdFiles: [],
    errorMessage: say(phrase.agentRestored()),
    timestamp: at,
  };
  return [
    {
      // Nothing is reaped: the process ids and folder names in the backup may belong to others by now.
      sql: `update fleet_agent set status = case when report is null then 'cancelled' else 'resultReported' end,
          outcome = 'cancelled', automatic = :automatic, ended_at = :at, reaped = 1, revision = revision + 1
        where status in ('queued', 'running')`,
      args: { at, automatic: JSON.stringify(automatic) },
    },
    { sql: 'update fleet_agent set reaped = 1 where reaped = 0', args: {} },
    {
      sql: `update fleet_plan set status = 'stopped', moved_at = :at, revision = revision + 1 where status = 'running'`,
      args: { at },
    },
    pauseWrite('restored', at),
  ];
};
