import { isProblem, problem } from '../kernel/problem.ts';
import type { Problem } from '../kernel/problem.ts';

/** A database that cannot be used, with what it said; a problem as it is. */
export function unavailable(location: string, error: unknown, explanation = ''): Problem {
  if (isProblem(error)) return error;
  const away = problem.STORE_UNAVAILABLE({ location, reason: explanation + messageOf(error) });
  away.cause = error;
  return away;
}

function messageOf(error: unknown): string {
  // A host name with several addresses fails with one error for each and an empty message.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
