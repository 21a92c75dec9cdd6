import stringWidth from 'string-width';
import type { Plain } from '../../kernel/plain.ts';
import { harmless } from './harmless.ts';
import { style } from './style.ts';

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
    Math.max(stringWidth(column), ...cells.map((row) => stringWidth(row[index] ?? ''))),
  );
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(cell)))).join('  ')}`.trimEnd();
  return [style.dim(line(columns)), ...cells.map(line)];
}

function inline(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return harmless(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return harmless(value.join(', '));
  return harmless(JSON.stringify(value));
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
