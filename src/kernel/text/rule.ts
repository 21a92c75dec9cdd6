import type { Lang, Words } from './text.ts';

const rules = new Map<string, Words>();

/** What a rule says where it is broken. Libraries keep one text of it, the English; the others are found by that. */
export function rule(words: Words): string {
  rules.set(words.en, words);
  return words.en;
}

/** What is no rule of ours stays as it is. */
export function ruleIn(lang: Lang, message: string): string {
  return rules.get(message)?.[lang] ?? message;
}
