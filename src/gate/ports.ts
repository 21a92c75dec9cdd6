import type { Context, Project } from '../kernel/context.ts';
import { definePort } from '../kernel/port.ts';
import type { Entry, Write } from '../kernel/store/store.ts';
import type { Sentence } from '../kernel/text/text.ts';
import type { ReviewedFile } from '../kernel/trust.ts';

/** Records in the user's own state which versions a person has trusted. */
export type RecordTrust = (context: Context, seen: readonly ReviewedFile[]) => Promise<void>;

export const recordTrust = definePort<RecordTrust>('gate.record-trust', () =>
  Promise.reject(new Error('nobody keeps what is trusted')),
);

interface FoundRing {
  readonly name: string;
  readonly client?: string;
  readonly state: 'on' | 'off' | 'broken' | 'unknown';
  readonly found: Sentence;
  readonly remedy?: string;
}

/** Returns the sandbox of the calling session; undefined if it has none. */
export const shutInPort = definePort<
  (context: Context) => Promise<{ readonly sandbox: string; readonly ring: number } | undefined>
>('gate.shut-in', () => Promise.resolve(undefined));

/** Tests which rings are active for this project and each client. */
export const ringsPort = definePort<(context: Context) => Promise<readonly FoundRing[]>>('gate.rings', () =>
  Promise.resolve([]),
);

/** Lists the digests of definitions that are derived from other files: they are trusted like their sources. */
export const derivedDigests = definePort<(context: Pick<Context, 'settings'>) => Promise<readonly string[]>>(
  'gate.derived-digests',
  async () => [],
);

/** Returns further changes that are committed together with the abort of a run. */
export type AfterAbort = (
  context: Context,
  run: { readonly id: string; readonly reason: string },
) => Promise<{ readonly writes: readonly Write[]; readonly entries: readonly Entry[] }>;

/** Returns further changes that are committed together with the event that completes a run. */
export type AfterFinal = (
  context: Context,
  runId: string,
) => Promise<{ readonly writes: readonly Write[]; readonly entries: readonly Entry[] }>;

export const afterFinal = definePort<AfterFinal>('gate.after-final', async () => ({ writes: [], entries: [] }));

export const afterAbort = definePort<AfterAbort>('gate.after-abort', async () => ({ writes: [], entries: [] }));

/** The clients in which a person installed our hooks for this project. */
export const clientsWithHooks = definePort<(project: Project) => readonly string[]>(
  'gate.clients-with-hooks',
  () => [],
);
