import stringWidth from 'string-width';
import { pad, wrap } from './fit.ts';
import type { Screen } from './screen.ts';

export type Row = readonly [name: string, text: string];

const leastText = 30;

/** Names on the left, what they are on the right; below the name where the right has no room. */
export function columns(rows: readonly Row[], { width }: Pick<Screen, 'width'>, least = 0): string {
  const left = Math.max(least, ...rows.map(([name, text]) => (text === '' ? 0 : name.length))) + 4;
  return rows
    .flatMap(([name, text]) => (width - left < leastText ? below(name, text, width) : beside(name, text, left, width)))
    .join('\n');
}

function beside(name: string, text: string, left: number, width: number): readonly string[] {
  const lines = wrap(text, width - left);
  return lines.map((line, at) => `${pad(at === 0 ? `  ${name}` : '', left)}${line}`.trimEnd());
}

function below(name: string, text: string, width: number): readonly string[] {
  const inner = wrap(text, width - 6).filter((line) => line !== '');
  return [...indentCode(name, width), ...inner.map((line) => `      ${line}`)];
}

/** How a command is written, behind the word for it. */
export function usage(word: string, lines: readonly string[], width: number): readonly string[] {
  const inner = stringWidth(word) + 1;
  return lines
    .flatMap((line) => wrap(line, width - inner))
    .map((line, at) => `${pad(at === 0 ? word : '', inner)}${line}`);
}

/** A line of code: what does not fit goes on below, further in. */
export function indentCode(line: string, width: number): readonly string[] {
  return wrap(line, width - 6).map((one, at) => (at === 0 ? `  ${one}` : `      ${one}`));
}
