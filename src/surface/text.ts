import type { Say } from '../kernel/context.ts';
import type { Code, Phrases, Problem, Problems } from '../kernel/problem.ts';
import { en } from './text/en.ts';
import { ja } from './text/ja.ts';

/** A code or phrase without a text in every language does not compile. */
export interface Texts {
  readonly problems: { readonly [C in Code]: (params: Problems[C]) => string };
  readonly phrases: { readonly [P in keyof Phrases]: (params: Phrases[P]) => string };
}

export type Lang = 'en' | 'ja';

const languages: Readonly<Record<Lang, Texts>> = { en, ja };

export function problemText(lang: Lang, problem: Problem): string {
  const write = languages[lang].problems[problem.code] as (params: unknown) => string;
  return write(problem.params);
}

export function sayIn(lang: Lang): Say {
  return (phrase, params) => (languages[lang].phrases[phrase] as (given: unknown) => string)(params);
}
