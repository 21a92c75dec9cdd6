import type { Store, Write } from './store.ts';
import type { Say } from '../text/text.ts';

/** The circumstances of a restore. */
export interface RestoreCircumstances {
  readonly at: string;
  /** The store that is replaced, which has the revocations since the backup. Undefined if there is none. */
  readonly present: Pick<Store, 'read'> | undefined;
  readonly say: Say;
}

/** Makes a module's writes for a restore: old work has ended, and what was revoked since stays revoked. */
export type RestoredWrites = (restoring: RestoreCircumstances) => Promise<readonly Write[]>;
