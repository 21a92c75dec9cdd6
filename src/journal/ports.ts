import type { Context } from '../kernel/context.ts';
import { definePort } from '../kernel/port.ts';
import type { Words } from '../kernel/text/text.ts';

interface VerificationResult {
  readonly entries: number;
  readonly rows: number;
  readonly head: string;
  readonly headFound: boolean;
  /** Rows that differ from what the journal recorded. */
  readonly faults: readonly {
    readonly table: string;
    readonly key: readonly (string | number)[];
    readonly damage: 'changed' | 'added' | 'removed';
    readonly detail: Words;
  }[];
  readonly faultCount: number;
}

/** Compares the whole store and the user's database with their journals. */
export const verifyPort = definePort<(context: Context, head: string | undefined) => Promise<VerificationResult>>(
  'journal.verify',
  async () => {
    throw new Error('no implementation of journal.verify is installed');
  },
);
