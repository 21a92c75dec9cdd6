import type { Query, Row, Store } from './store.ts';

/** Reads the rows of one query. */
export async function readRows(
  store: Pick<Store, 'read'>,
  sql: string,
  args: Query['args'] = {},
): Promise<readonly Row[]> {
  return (await store.read([{ sql, args }]))[0] ?? [];
}

/** The value of a column that always contains text; anything else is a bug. */
export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new TypeError(`column ${column} holds no text`);
  return value;
}

export function optional(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : text(row, column);
}

/** The value of a column that contains JSON, or null. */
export function parsed(row: Row, column: string): unknown {
  const value = optional(row, column);
  return value === null ? null : JSON.parse(value);
}
