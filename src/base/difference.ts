import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff';

/** The time grows with the square of this; two texts that differ in more lines are shown one after the other. */
const maxEdits = 500;
const around = 3;

/** Two texts as a unified diff, line by line; empty where they are equal. */
export function unifiedDiff(before: string, after: string, names: readonly [string, string]): string {
  if (before === after) return '';
  const options = { context: around, maxEditLength: maxEdits };
  const patch = structuredPatch(...names, before, after, undefined, undefined, options);
  const hunks = patch === undefined ? replacement(before, after) : formatPatch(patch, OMIT_HEADERS);
  // Not by the library, which writes names in another script as numbers.
  return `--- ${names[0]}\n+++ ${names[1]}\n${hunks}`;
}

/** All of the one out, all of the other in. */
function replacement(before: string, after: string): string {
  const [out, into] = [linesOf(before), linesOf(after)];
  const range = (lines: readonly string[]) => `${lines.length === 0 ? 0 : 1},${lines.length}`;
  const shown = (sign: string, lines: readonly string[]) => lines.map((line) => `${sign}${endLine(line)}`).join('');
  return `@@ -${range(out)} +${range(into)} @@\n${shown('-', out)}${shown('+', into)}`;
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function endLine(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;
}
