import { definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  fleet: () => 'run_agents starts other agents; wait_agent waits for them and returns their reports.',
};

/** Texts of the instructions that a client gets when it connects. */
export const introduction = definePhrases(english, ja.introduction);
