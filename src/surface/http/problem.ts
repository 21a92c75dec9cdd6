import { defineProblems, defineRefusals } from '../../kernel/problem.ts';
import * as ja from './ja.ts';

export const englishProblem = {
  SIGN_IN_NEEDED: () => 'You are not signed in, or your session has ended. Run: sekisho open',
  UNKNOWN_OPERATION: ({ name }: { name: string }) => `There is no operation "${name}".`,
  ROOT_NEEDED: () => 'The URL must name a project: ?project=/path/to/it (list_roots lists them)',
  ROOT_NOT_FOUND: ({ project }: { project: string }) => `There is no project at ${project}.`,
  BODY_INVALID: ({ reason }: { reason: string }) => `The request cannot be read: ${reason}`,
};

/** The API's own problems; all others are the operations'. */
export const problem = defineProblems(englishProblem, ja.problem);

export const englishRefusal = {
  site: () => 'Only the dashboard’s own pages can send this request.',
  agent: () => 'Only a person can do this, and this token is an agent’s.',
};

export const refusal = defineRefusals(englishRefusal, ja.refusal);
