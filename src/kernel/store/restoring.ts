import type { Store, Write } from './store.ts';
import type { Say } from '../text/text.ts';

/** A store is being replaced by a backup of it. */
export interface Restoring {
  readonly at: string;
  /** The store that is replaced, which knows what was revoked since the backup. Undefined where there is none. */
  readonly present: Pick<Store, 'read'> | undefined;
  readonly say: Say;
}

/**
 * What a module writes on top of its rows of the backup: whatever ran then has ended, and nothing that was revoked since is valid
 * again. The writes are part of the restore's own transaction.
 */
export type RestoredWrites = (restoring: Restoring) => Promise<readonly Write[]>;
