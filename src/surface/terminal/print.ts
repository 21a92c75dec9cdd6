import type { Plain } from '../../kernel/plain.ts';
import type { Lang } from '../../kernel/text.ts';
import { renderAnswer } from './render.ts';
import { screenOf } from './screen.ts';

/** A person at a terminal gets words and tables, a program the structured result. */
export function isForProgram(json: boolean): boolean {
  return json || !process.stdout.isTTY;
}

export function print(output: Plain, { json, lang }: { readonly json: boolean; readonly lang: Lang }): void {
  process.stdout.write(isForProgram(json) ? `${JSON.stringify(output)}\n` : renderAnswer(output, screenOf(lang)));
}
