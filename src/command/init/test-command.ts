import { type FoundTest, findTestCommands, lineOf, wordsOf } from '../../config/test-command.ts';
import { setupQuestion } from '../../setup/setup-question.ts';
import { setupPhrase } from '../../setup/setup-text.ts';
import { isProblem } from '../../kernel/problem.ts';
import type { Lang, Sentence } from '../../kernel/text/text.ts';

/** The command that runs the project's tests, and its origin. */
export interface TestChoice {
  /** The command to write into the configuration; undefined: the configuration stays as it is. */
  readonly words: readonly string[] | undefined;
  /** The command in the existing configuration. */
  readonly kept: readonly string[] | undefined;
  readonly found: readonly FoundTest[];
}

export interface TestQuestion {
  readonly given: unknown;
  readonly configured: unknown;
  readonly tree: string;
  /** There is no configuration yet. */
  readonly isNew: boolean;
  /** A language: ask a person in it. `defaults`: take the first command that was found. */
  readonly by: Lang | 'defaults' | undefined;
}

/** Takes the given test command, else the configured one, else asks. Undefined: the person has canceled. */
export async function chooseTest({
  given,
  configured,
  tree,
  isNew,
  by,
}: TestQuestion): Promise<TestChoice | undefined> {
  const kept = keptWords(configured);
  if (typeof given === 'string') return { words: wordsOf(given), kept, found: [] };
  if (kept !== undefined) return { words: undefined, kept, found: [] };
  const found = findTestCommands(tree);
  const first = found[0]?.words;
  if (by === undefined || by === 'defaults')
    return { words: by === 'defaults' && isNew ? first : undefined, kept, found };
  // Without any tests, only the first `init` asks.
  if (first === undefined && !isNew) return { words: undefined, kept, found };
  const { typeLine } = await import('../../surface/terminal/choose.ts');
  const typed = await typeLine(setupQuestion.test()(by), first === undefined ? '' : lineOf(first), (line) =>
    isUsable(line) ? undefined : setupQuestion.noShell()(by),
  );
  if (typed === undefined) return undefined;
  return { words: typed.trim() === '' ? undefined : wordsOf(typed), kept, found };
}

function isUsable(line: string): boolean {
  if (line.trim() === '') return true;
  try {
    return wordsOf(line).length > 0;
  } catch (error) {
    if (isProblem(error)) return false;
    throw error;
  }
}

function keptWords(test: unknown): readonly string[] | undefined {
  if (typeof test === 'string') return test.split(/\s+/).filter((one) => one !== '');
  return Array.isArray(test) ? test.map(String) : undefined;
}

/** The report about the test command; `trusted`: it takes effect now. */
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
