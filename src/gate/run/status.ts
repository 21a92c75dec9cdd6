import { optional } from '../../kernel/store/row.ts';
import type { Row } from '../../kernel/store/store.ts';

/** A run ends completed, in a final state, or aborted, in whatever state it was. Only a completed one is done. */
export const runStatuses = ['open', 'completed', 'aborted'] as const;
export type RunStatus = (typeof runStatuses)[number];

/** Who ended a run that is no longer needed, when and why. */
export interface Aborted {
  readonly by: string;
  readonly since: string;
  readonly reason: string;
}

/** Of a row of `run`. */
export function abortedIn(row: Row): Aborted | null {
  const found = optional(row, 'aborted');
  return found === null ? null : (JSON.parse(found) as Aborted);
}

/** Of a row of `run`. */
export function runStatusOf(row: Row): RunStatus {
  if (Number(row['is_final']) !== 1) return 'open';
  return row['aborted'] === null ? 'completed' : 'aborted';
}
