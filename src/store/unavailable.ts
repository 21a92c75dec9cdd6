import { messageOf } from '../kernel/failure.ts';
import { isProblem, problem } from '../kernel/problem.ts';
import type { Problem } from '../kernel/problem.ts';

/** A database that cannot be used, with what it said; a problem as it is. */
export function unavailable(location: string, error: unknown, explanation = ''): Problem {
  if (isProblem(error)) return error;
  const away = problem.STORE_UNAVAILABLE({ location, reason: explanation + messageOf(error) });
  away.cause = error;
  return away;
}
