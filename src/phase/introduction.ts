import { definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  phase: () =>
    'inject_phase_prompt gives the prompt of a phase; transition_to_next_phase ends it once its work is done.',
};

export const introduction = definePhrases(english, ja.introduction);
