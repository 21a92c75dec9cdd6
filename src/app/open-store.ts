import { join } from 'node:path';
import { noteDatabase, refuseLostDatabase } from '../config/database.ts';
import type { ProjectPlace } from '../config/locate.ts';
import type { Store } from '../kernel/store/store.ts';
import { openStore } from '../store/open.ts';
import { tables } from './tables.ts';

/** Where the store's own backups are: before a migration, before a restore. */
export function backupsOf({ state }: Pick<ProjectPlace, 'state'>): string {
  return join(state, 'backups');
}

/** A project's store, made where it never was. One that was lost is not replaced by an empty one. */
export async function openProjectStore(state: string, db: string): Promise<Store> {
  refuseLostDatabase(state, db);
  const store = await openStore(db, { tables, backups: backupsOf({ state }) });
  noteDatabase(state, db);
  return store;
}
