import type { Plain } from '../../kernel/plain.ts';
import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

const colour = process.stdout.isTTY && process.stdout.hasColors();

function paint(format: Format): (text: string) => string {
  return (text) => (colour ? styleText(format, text) : text);
}

export const style = {
  bold: paint('bold'),
  dim: paint('dim'),
  cyan: paint('cyan'),
  green: paint('green'),
  yellow: paint('yellow'),
  red: paint('red'),
};

/** An answer for a person: lists as tables, the rest as names and values. */
export function renderAnswer(output: Plain): string {
  const lines: string[] = [];
  const single = Object.entries(output).filter(([, value]) => !isTable(value));
  const tables = Object.entries(output).filter(([, value]) => isTable(value));
  const width = Math.max(0, ...single.map(([key]) => key.length));
  for (const [key, value] of single) {
    const text = inline(value);
    lines.push(text.includes('\n') ? `${style.dim(key)}\n${indent(text)}` : `${style.dim(key.padEnd(width))}  ${text}`);
  }
  for (const [key, value] of tables) {
    const rows = value as readonly Plain[];
    if (lines.length > 0) lines.push('');
    lines.push(
      style.bold(`${key} (${rows.length})`),
      ...(rows.length === 0 ? [style.dim('  none')] : renderTable(rows)),
    );
  }
  return `${lines.join('\n')}\n`;
}

function isTable(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
}

function renderTable(rows: readonly Plain[]): readonly string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) =>
    rows.some((row) => inline(row[column]) !== ''),
  );
  const cells = rows.map((row) => columns.map((column) => cut(inline(row[column]).replaceAll('\n', ' '))));
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column), ...cells.map((row) => displayWidth(row[index] ?? ''))),
  );
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - displayWidth(cell)))).join('  ')}`.trimEnd();
  return [style.dim(line(columns)), ...cells.map(line)];
}

function inline(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return JSON.stringify(value);
}

const maxCell = 60;

function cut(text: string): string {
  return text.length > maxCell ? `${text.slice(0, maxCell - 1)}…` : text;
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

/** Japanese characters take two columns. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/.test(
      character,
    )
      ? 2
      : 1;
  return width;
}
