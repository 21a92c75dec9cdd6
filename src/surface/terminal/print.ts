import type { JsonObject } from '../../base/json-object.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { fitLines, widthOf } from './fit.ts';
import { renderAnswer } from './render.ts';
import { type Screen, screenOf } from './screen.ts';

/** Lines for a person. No terminal has to break them, and no pipe has them broken. */
export function say(text: string): void {
  process.stdout.write(fitLines(text, widthOf(process.stdout)));
}

/** The same beside what is printed: a pipe does not get it. */
export function sayAside(text: string): void {
  process.stderr.write(fitLines(text, widthOf(process.stderr)));
}

export function printJson(output: object): void {
  process.stdout.write(`${JSON.stringify(output)}\n`);
}

/** An answer: in words and tables, or with `--json` exactly as it is. */
export function print(
  output: JsonObject,
  { json, lang, ids }: { readonly json: boolean; readonly lang: Lang; readonly ids?: Screen['ids'] },
): void {
  if (json) printJson(output);
  else process.stdout.write(renderAnswer(output, screenOf(lang, process.stdout, ids)));
}

/** Redraws from the top-left corner and clears the rest, which avoids flicker. */
export function redraw(text: string): void {
  const lines = text.split('\n').slice(0, (process.stdout.rows || 24) - 1);
  process.stdout.write(`\u001B[?25l\u001B[H${lines.map((one) => `${one}\u001B[K`).join('\n')}\u001B[J`);
}

export function endDrawing(): void {
  process.stdout.write('\u001B[?25h\n');
}
