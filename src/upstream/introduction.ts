import { definePhrases } from '../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  locked: ({ upstream, skill }: { upstream: string; skill: string | undefined }) =>
    `The tools of "${upstream}" are locked: ${skill === undefined ? 'call activate' : `load the skill "${skill}" (/${skill}), then call activate`}.`,
};

export const introduction = definePhrases(english, ja.introduction);
