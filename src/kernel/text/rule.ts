import type { Lang, Words } from './text.ts';

const rules = new Map<string, Words>();

/** Registers the message of a broken rule and returns the English one. Libraries keep one text; the Japanese is found by it. */
export function rule(words: Words): string {
  rules.set(words.en, words);
  return words.en;
}

/** A rule's message in a language. A message that is not one of our rules stays as it is. */
export function ruleIn(lang: Lang, message: string): string {
  return rules.get(message)?.[lang] ?? message;
}
