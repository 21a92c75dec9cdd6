/** Cursors are opaque to the caller: the last key that was shown, base64url. */
export const defaultPageSize = 50;
export const maxPageSize = 500;

export function encodeCursor(key: string): string {
  return Buffer.from(key, 'utf8').toString('base64url');
}

export function decodeCursor(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString('utf8');
}

/** Ask for one row more than the page, so that its presence tells whether there is a next page. */
export function cutPage<T>(
  rows: readonly T[],
  limit: number,
  keyOf: (row: T) => string,
): { rows: readonly T[]; next: string | undefined } {
  if (rows.length <= limit) return { rows, next: undefined };
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  return { rows: kept, next: last === undefined ? undefined : encodeCursor(keyOf(last)) };
}
