import type { Context } from '../kernel/context.ts';
import { definePort } from '../kernel/port.ts';
import type { Seen } from '../kernel/trust.ts';

/** Keeps what a person saw, in the user's own state. */
export type RecordTrust = (context: Context, seen: readonly Seen[]) => Promise<void>;

export const recordTrust = definePort<RecordTrust>('gate.record-trust', () =>
  Promise.reject(new Error('nobody keeps what is trusted')),
);
