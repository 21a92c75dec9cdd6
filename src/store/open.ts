import type { Store } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import { backUpInto } from './backup.ts';
import { dialectOf } from './dialects.ts';
import { keepPresence } from './presence.ts';
import { storeOver } from './store-over.ts';

export interface StoreOptions {
  /** The tables of all modules. Missing ones are created. */
  readonly tables: readonly Table[];
  /** The folder for the backup that is made before a migration. */
  readonly backups?: string;
}

/** Opens a store. `location` is the path of a SQLite file or a postgres:// URL. */
export async function openStore(location: string, { tables, backups }: StoreOptions): Promise<Store> {
  const engine = await dialectOf(location).open(location, {
    tables,
    backUp: (snapshot) => backUpInto(backups, snapshot, tables),
  });
  return storeOver(engine, tables, keepPresence(engine));
}
