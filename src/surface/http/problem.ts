import { defineProblems, defineRefusals } from '../../kernel/problem.ts';
import * as ja from './ja.ts';

export const englishProblem = {
  SIGN_IN_NEEDED: () => 'You are not signed in, or not any more. Run: sekisho open',
  UNKNOWN_OPERATION: ({ name }: { name: string }) => `There is no operation "${name}".`,
  ROOT_NEEDED: () => 'The address must name a project: ?project=/path/to/it (list_roots has them)',
  ROOT_NOT_FOUND: ({ project }: { project: string }) => `There is no project at ${project}.`,
  BODY_INVALID: ({ reason }: { reason: string }) => `The request cannot be read: ${reason}`,
};

/** What the dashboard's API says by itself; everything else is the operations'. */
export const problem = defineProblems(englishProblem, ja.problem);

export const englishRefusal = {
  /** A browser says that another site asks. */
  site: () => 'Only the dashboard’s own pages may ask this.',
  agent: () => 'This is for people: the token is an agent’s.',
};

export const refusal = defineRefusals(englishRefusal, ja.refusal);
