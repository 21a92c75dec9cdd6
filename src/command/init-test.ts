import { existsSync, readFileSync } from 'node:fs';
import { parseConfig } from '../config/file.ts';
import type { FoundTest } from '../config/test-command.ts';
import { findTestCommands, lineOf, wordsOf } from '../config/test-command.ts';
import { setupPhrase } from '../hook/setup-text.ts';
import type { Lang, Sentence } from '../kernel/text.ts';
import { askLineAtTerminal } from '../surface/terminal/question.ts';

/** What runs the project's tests, and where that was learned. */
export interface TestChoice {
  /** To be written into the configuration; undefined: it stays as it is. */
  readonly words: readonly string[] | undefined;
  /** What the configuration says already. */
  readonly kept: readonly string[] | undefined;
  readonly found: readonly FoundTest[];
}

export interface TestQuestion {
  readonly given: unknown;
  /** The configuration, which need not exist. */
  readonly path: string;
  readonly tree: string;
  /** In this language; undefined where nobody sits there. */
  readonly ask: Lang | undefined;
}

/** The one that was given; else the one that is configured; else a person chooses, by default what was found. */
export async function chooseTest({ given, path, tree, ask }: TestQuestion): Promise<TestChoice> {
  const kept = configured(path);
  if (typeof given === 'string') return { words: wordsOf(given), kept, found: [] };
  if (kept !== undefined) return { words: undefined, kept, found: [] };
  const found = findTestCommands(tree);
  const [first] = found;
  if (first === undefined || ask === undefined) return { words: undefined, kept, found };
  const command = lineOf(first.words);
  const typed = await askLineAtTerminal(
    setupPhrase.testFound({ found: found.map(shown) })(ask),
    setupPhrase.testQuestion({ command })(ask),
  );
  if (typed === '-') return { words: undefined, kept, found };
  return { words: typed === '' ? first.words : wordsOf(typed), kept, found };
}

function configured(path: string): readonly string[] | undefined {
  const { test } = (existsSync(path) ? parseConfig(path, readFileSync(path, 'utf8')) : {}) as { test?: unknown };
  if (typeof test === 'string') return test.split(/\s+/).filter((one) => one !== '');
  return Array.isArray(test) ? test.map(String) : undefined;
}

/** What to say of it; `trusted`: it holds from now on. */
export function tellTest({ words, kept, found }: TestChoice, trusted: boolean): Sentence {
  const [first] = found;
  if (words !== undefined) return setupPhrase.testSet({ command: lineOf(words), trusted });
  if (kept !== undefined) return setupPhrase.testKept({ command: lineOf(kept) });
  if (first === undefined) return setupPhrase.testNone();
  return setupPhrase.testUnset({ found: found.map(shown), command: lineOf(first.words) });
}

function shown({ words, because }: FoundTest): string {
  return `${lineOf(words)} (${because})`;
}
