import type { Store, Write } from './store.ts';
import type { Say } from '../text/text.ts';

/** The circumstances of a restore. */
export interface Restoring {
  readonly at: string;
  /** The store that is replaced, which has the revocations since the backup. Undefined if there is none. */
  readonly present: Pick<Store, 'read'> | undefined;
  readonly say: Say;
}

/**
 * Makes the writes that a module adds to its rows of the backup: work that ran then has ended, and nothing that was revoked since
 * becomes valid again. The writes are part of the restore's own transaction.
 */
export type RestoredWrites = (restoring: Restoring) => Promise<readonly Write[]>;
