import type { Context } from '../kernel/context.ts';
import { definePort } from '../kernel/port.ts';
import type { Entry, Write } from '../kernel/store/store.ts';
import type { Sentence } from '../kernel/text/text.ts';
import type { Seen } from '../kernel/trust.ts';

/** Keeps what a person saw, in the user's own state. */
export type RecordTrust = (context: Context, seen: readonly Seen[]) => Promise<void>;

export const recordTrust = definePort<RecordTrust>('gate.record-trust', () =>
  Promise.reject(new Error('nobody keeps what is trusted')),
);

/** One ring round the agents, as it was found just now. */
interface FoundRing {
  readonly name: string;
  readonly client?: string;
  readonly state: 'on' | 'off' | 'broken' | 'unknown';
  readonly found: Sentence;
  readonly remedy?: string;
}

/** How the session of this call was shut in; undefined where it was not. */
export const shutInPort = definePort<
  (context: Context) => Promise<{ readonly sandbox: string; readonly ring: number } | undefined>
>('gate.shut-in', () => Promise.resolve(undefined));

/** Tries which rings hold for this project and each client. */
export const ringsPort = definePort<(context: Context) => Promise<readonly FoundRing[]>>('gate.rings', () =>
  Promise.resolve([]),
);

/** Definitions that come from no file of their own: they are trusted as what they were made of is. */
export const derivedDigests = definePort<(context: Pick<Context, 'settings'>) => Promise<readonly string[]>>(
  'gate.derived-digests',
  async () => [],
);

/** What else changes when a run is aborted: it is committed together with that. */
export type AfterAbort = (
  context: Context,
  run: { readonly id: string; readonly reason: string },
) => Promise<{ readonly writes: readonly Write[]; readonly entries: readonly Entry[] }>;

export const afterAbort = definePort<AfterAbort>('gate.after-abort', async () => ({ writes: [], entries: [] }));
