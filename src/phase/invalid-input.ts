import { Problem, problem } from '../kernel/problem.ts';

/** The validation error of one input field. */
export function invalidInput(path: string, message: string): Problem {
  return problem.VALIDATION_ERROR({ errors: [{ path, message }] }, { validation_errors: [{ path, message }] });
}
