import { messageOf } from '../base/failure.ts';
import { type Problem, isProblem, problem } from '../kernel/problem.ts';
import { type Reason, combineWords } from '../kernel/text/text.ts';

/** A database that cannot be used, with what it said; a problem as it is. */
export function unavailableProblem(location: string, error: unknown, explanation: Reason = ''): Problem {
  if (isProblem(error)) return error;
  const away =
    diskProblem(location, error) ??
    problem.STORE_UNAVAILABLE({ location, reason: combineWords((say) => say(explanation) + messageOf(error)) });
  away.cause = error;
  return away;
}

/** By the code of a system call or of PostgreSQL: a disk that is full, or one that takes no writes. */
export function diskProblem(location: string, error: unknown): Problem | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (full.has(code)) return problem.STORE_FULL({ location });
  if (readOnly.has(code)) return problem.STORE_READ_ONLY({ location });
  return undefined;
}

/** The last one is PostgreSQL's disk_full. */
const full = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** The last one is PostgreSQL's read_only_sql_transaction. */
const readOnly = new Set(['EROFS', 'EACCES', 'EPERM', '25006']);
