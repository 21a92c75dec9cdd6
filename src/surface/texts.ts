import type { Code, Phrases, Problems, Refusals } from '../kernel/problem.ts';

/** A code, refusal or phrase without a text in every language does not compile. */
export interface Texts {
  /** `FORBIDDEN` has a text for each of its reasons. */
  readonly problems: { readonly [C in Exclude<Code, 'FORBIDDEN'>]: (params: Problems[C]) => string };
  readonly refusals: { readonly [R in keyof Refusals]: (why: Refusals[R]) => string };
  readonly phrases: { readonly [P in keyof Phrases]: (params: Phrases[P]) => string };
}

/** What one module has texts for. */
export interface SomeTexts {
  readonly problems: Partial<Texts['problems']>;
  readonly refusals: Partial<Texts['refusals']>;
  readonly phrases: Partial<Texts['phrases']>;
}
