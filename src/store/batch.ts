import type { StoredRow } from './engine.ts';

/** The approximate size of one batch in memory. */
const batchBytes = 1024 * 1024;
const mostRows = 2000;

/** How many rows to read at first, while their size is unknown. */
export const firstBatch = 50;

/** How many rows to read next, by the size of the last ones; at most twice as many. */
export function nextBatch(rows: readonly StoredRow[]): number {
  let bytes = 0;
  for (const row of rows) for (const value of row) bytes += typeof value === 'string' ? value.length : 8;
  return Math.max(1, Math.min(mostRows, rows.length * 2, Math.floor((rows.length * batchBytes) / bytes)));
}
