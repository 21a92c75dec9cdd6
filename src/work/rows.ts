import type { Row } from '../kernel/store.ts';

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`column ${column} holds no text`);
  return value;
}

export function optional(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : text(row, column);
}

export function strings(row: Row, column: string): readonly string[] {
  return JSON.parse(text(row, column)) as string[];
}
