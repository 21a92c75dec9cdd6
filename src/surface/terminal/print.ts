import type { JsonObject } from '../../base/json-object.ts';
import type { Lang } from '../../kernel/text/text.ts';
import { fitLines, terminalWidth } from './fit.ts';
import { renderAnswer } from './render.ts';
import { screenOf } from './screen.ts';

/** A person at a terminal gets words and tables, a program the structured result. */
export function isForProgram(json: boolean): boolean {
  return json || !process.stdout.isTTY;
}

/** Lines for a person. No terminal has to break them, and no pipe has them broken. */
export function say(text: string): void {
  process.stdout.write(process.stdout.isTTY ? fitLines(text, terminalWidth()) : text);
}

/** The same beside what is printed: a pipe does not get it. */
export function sayAside(text: string): void {
  process.stderr.write(process.stderr.isTTY ? fitLines(text, terminalWidth()) : text);
}

export function print(output: JsonObject, { json, lang }: { readonly json: boolean; readonly lang: Lang }): void {
  process.stdout.write(isForProgram(json) ? `${JSON.stringify(output)}\n` : renderAnswer(output, screenOf(lang)));
}
