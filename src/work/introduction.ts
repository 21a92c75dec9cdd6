import { definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  work: () => 'An agent of a team begins with authenticate, then get_my_task, and ends with report_completed.',
};

/** What a client is told at the start. */
export const introduction = definePhrases(english, ja.introduction);
