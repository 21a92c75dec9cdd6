import type { Sentence } from '../kernel/text/text.ts';

/** Why no tree can be made. */
export class TreeRefusal extends Error {
  constructor(readonly sentence: Sentence) {
    super(sentence('en'));
  }
}
