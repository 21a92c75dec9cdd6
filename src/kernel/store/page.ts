import { crc32 } from 'node:zlib';
import { type Problem, problem } from '../problem.ts';
import { rule } from '../text/rule.ts';

export const defaultPageSize = 50;
export const maxPageSize = 500;

export const cursorRule = rule({
  en: 'is not a cursor of this list. Start again without it',
  ja: 'この一覧のカーソルではありません。指定せずに最初から取得してください',
});

/** Cursors are opaque to the caller: the last key that was shown, behind its checksum, base64url. */
export function encodeCursor(key: string): string {
  return Buffer.from(checksum(key) + key, 'utf8').toString('base64url');
}

export function isCursor(cursor: string): boolean {
  return encodeCursor(keyIn(cursor)) === cursor;
}

export function decodeCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  if (!isCursor(cursor)) throw invalidCursor();
  return keyIn(cursor);
}

/** Decodes the cursor of a list whose keys are numbers. */
export function decodePosition(cursor: string | undefined): number | undefined {
  const key = decodeCursor(cursor);
  if (key === undefined) return undefined;
  if (!/^\d{1,15}$/.test(key)) throw invalidCursor();
  return Number(key);
}

export function invalidCursor(): Problem {
  const errors = [{ path: '/cursor', message: cursorRule }];
  return problem.VALIDATION_ERROR({ errors }, { validation_errors: errors });
}

function keyIn(cursor: string): string {
  return Buffer.from(cursor, 'base64url').toString('utf8').slice(checksum('').length);
}

function checksum(key: string): string {
  return crc32(key).toString(16).padStart(8, '0');
}

/** Cuts rows to a page. Callers read one row more than the limit: its presence shows that there is a next page. */
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
