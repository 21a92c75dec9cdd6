import type { Say } from '../kernel/context.ts';
import type { Problem } from '../kernel/problem.ts';
import { en } from './text/en.ts';
import { ja } from './text/ja.ts';
import type { Texts } from './texts.ts';

export type Lang = 'en' | 'ja';

const languages: Readonly<Record<Lang, Texts>> = { en, ja };

export function problemText(lang: Lang, problem: Problem): string {
  const write = languages[lang].problems[problem.code] as (params: unknown) => string;
  return write(problem.params);
}

export function sayIn(lang: Lang): Say {
  return (phrase, params) => (languages[lang].phrases[phrase] as (given: unknown) => string)(params);
}
