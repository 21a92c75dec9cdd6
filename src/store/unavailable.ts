import { messageOf } from '../base/failure.ts';
import { type Problem, isProblem, problem } from '../kernel/problem.ts';
import { type Reason, type Words, combineWords } from '../kernel/text/text.ts';

/** The problem of a database that cannot be used, with the error's message. A problem is returned as it is. */
export function unavailableProblem(location: string, error: unknown, explanation: Reason = ''): Problem {
  if (isProblem(error)) return error;
  const away =
    diskProblem(location, error) ??
    problem.STORE_UNAVAILABLE({ location, reason: combineWords((say) => say(explanation) + messageOf(error)) });
  away.cause = error;
  return away;
}

/** The problem of a database that cannot be used, with our own explanation. */
export function unusableStore(location: string, reason: Words): Problem {
  return problem.STORE_UNAVAILABLE({ location, reason });
}

/** The problem of a full or read-only disk, by the code of a system call or of PostgreSQL; undefined for other errors. */
export function diskProblem(location: string, error: unknown): Problem | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (fullCodes.has(code)) return problem.STORE_FULL({ location });
  if (readOnlyCodes.has(code)) return problem.STORE_READ_ONLY({ location });
  return undefined;
}

/** The last one is PostgreSQL's disk_full. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', '53100']);
/** The last one is PostgreSQL's read_only_sql_transaction. */
const readOnlyCodes = new Set(['EROFS', 'EACCES', 'EPERM', '25006']);
