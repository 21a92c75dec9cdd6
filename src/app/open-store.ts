import { join } from 'node:path';
import { noteDatabase, refuseLostDatabase } from '../config/database.ts';
import type { ProjectPlace } from '../config/locate.ts';
import type { Store } from '../kernel/store/store.ts';
import { openStore } from '../store/open.ts';
import { tables } from './tables.ts';

/** The folder of the backups that the store makes before a migration or a restore. */
export function backupsOf({ state }: Pick<ProjectPlace, 'state'>): string {
  return join(state, 'backups');
}

/** Opens a project's store, and creates it if there never was one. A lost store is not replaced by an empty one. */
export async function openProjectStore(state: string, db: string): Promise<Store> {
  refuseLostDatabase(state, db);
  const store = await openStore(db, { tables, backups: backupsOf({ state }) });
  noteDatabase(state, db);
  return store;
}
