import { definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  work: () => 'An agent of a team begins with authenticate, then get_my_task, and ends with report_completed.',
};

/** The work module's part of the instructions that a client gets when it connects. */
export const introduction = definePhrases(english, ja.introduction);
