import type { Code, Phrases, Problems } from '../kernel/problem.ts';

/** A code or phrase without a text in every language does not compile. */
export interface Texts {
  readonly problems: { readonly [C in Code]: (params: Problems[C]) => string };
  readonly phrases: { readonly [P in keyof Phrases]: (params: Phrases[P]) => string };
}
