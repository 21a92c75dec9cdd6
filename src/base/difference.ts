import { OMIT_HEADERS, formatPatch, structuredPatch } from 'diff';

/** The longest edit script: time grows with its square. Texts that differ more are shown one after the other. */
const maxEdits = 500;
const contextLines = 3;

/** The unified diff of two texts; empty if they are equal. */
export function unifiedDiff(before: string, after: string, names: readonly [string, string]): string {
  if (before === after) return '';
  const options = { context: contextLines, maxEditLength: maxEdits };
  const patch = structuredPatch(...names, before, after, undefined, undefined, options);
  const hunks = patch === undefined ? replacement(before, after) : formatPatch(patch, OMIT_HEADERS);
  // The library would escape names that are not ASCII.
  return `--- ${names[0]}\n+++ ${names[1]}\n${hunks}`;
}

/** One hunk that removes all of one text and adds all of the other. */
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
