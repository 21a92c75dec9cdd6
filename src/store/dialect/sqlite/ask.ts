import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Value } from '../../../kernel/store/store.ts';

/**
 * Reads without a prepared statement. A connection with a prepared statement keeps its locks after `close`, until the driver
 * frees the statement; a connection that only reads in this way releases the file at once.
 */
export function readUnprepared(
  db: DatabaseSyncInstance,
  columns: string,
  from?: string,
): readonly (readonly Value[])[] {
  const rows: Value[][] = [];
  db.function('sekisho_answer', { varargs: true }, (...values: unknown[]) => {
    rows.push(values as Value[]);
    return null;
  });
  db.exec(`select sekisho_answer(${columns}) ${from === undefined ? '' : `from ${from}`}`);
  return rows;
}
