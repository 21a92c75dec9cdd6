import type { Context } from '../kernel/context.ts';
import { definePort } from '../kernel/port.ts';
import type { Words } from '../kernel/text/text.ts';

/** A row that differs from what the journal recorded. */
interface Fault {
  readonly table: string;
  readonly key: readonly (string | number)[];
  readonly damage: 'changed' | 'added' | 'removed';
  readonly detail: Words;
}

export interface Verified {
  readonly entries: number;
  readonly rows: number;
  readonly head: string;
  readonly headFound: boolean;
  readonly faults: readonly Fault[];
  readonly faultCount: number;
}

/** Compares the whole store and the user's database with their journals. */
export const verifyPort = definePort<(context: Context, head: string | undefined) => Promise<Verified>>(
  'journal.verify',
  async () => {
    throw new Error('no implementation of journal.verify is installed');
  },
);
