import type { Say } from '../kernel/context.ts';
import type { Problem, Refusal } from '../kernel/problem.ts';
import { en } from './text/en.ts';
import { ja } from './text/ja.ts';
import type { Texts } from './texts.ts';

export type Lang = 'en' | 'ja';

const languages: Readonly<Record<Lang, Texts>> = { en, ja };

export function problemText(lang: Lang, problem: Problem): string {
  const { problems, refusals } = languages[lang];
  if (problem.code === 'FORBIDDEN') {
    const why = problem.params as Refusal;
    return (refusals[why.kind] as (given: unknown) => string)(why);
  }
  return (problems[problem.code] as (given: unknown) => string)(problem.params);
}

export function sayIn(lang: Lang): Say {
  return (phrase, params) => (languages[lang].phrases[phrase] as (given: unknown) => string)(params);
}
