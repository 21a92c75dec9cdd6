import { Problem, problem } from '../../kernel/problem.ts';

/** What a word that is no command may have meant. */
export function unknownCommand(name: string, known: readonly string[]): Problem {
  return problem.UNKNOWN_COMMAND({ command: name, suggestion: nearestWord(name, known, '') });
}

/** The word that differs least, if it is near enough to be meant. */
export function nearestWord(word: string, words: readonly string[], prefix: string): string | undefined {
  const ranked = words.map((one) => ({ one, far: distance(word, one) })).toSorted((a, b) => a.far - b.far);
  const best = ranked[0];
  return best !== undefined && best.far <= Math.max(2, word.length / 3) ? prefix + best.one : undefined;
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
