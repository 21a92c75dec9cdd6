import { optional } from '../../kernel/store/row.ts';
import type { Row } from '../../kernel/store/store.ts';

/** A run ends completed (in a final state) or aborted (in any state). Only a completed run counts as done. */
export const runStatuses = ['open', 'completed', 'aborted'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** The abort of a run: by whom, when and why. */
export interface RunAbort {
  readonly by: string;
  readonly since: string;
  readonly reason: string;
}

/** Reads the abort from a row of `run`. */
export function readAbort(row: Row): RunAbort | null {
  const found = optional(row, 'aborted');
  return found === null ? null : (JSON.parse(found) as RunAbort);
}

/** Reads the status from a row of `run`. */
export function runStatusOf(row: Row): RunStatus {
  if (Number(row['is_final']) !== 1) return 'open';
  return row['aborted'] === null ? 'completed' : 'aborted';
}
