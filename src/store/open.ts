import type { Store } from '../kernel/store.ts';
import type { Table } from '../kernel/table.ts';
import { dialectOf } from './dialects.ts';
import type { Engine } from './engine.ts';
import { createFeed } from './feed.ts';
import { announce, type Presence } from './presence.ts';

export interface StoreOptions {
  /** Of all modules. Without them the store is as it is found, and takes journal entries but no writes. */
  readonly tables?: readonly Table[];
  /** The folder for the backup that is made before a migration. */
  readonly backups?: string;
}

/** `location` is the path of a SQLite file or a postgres:// URL. */
export async function openStore(location: string, { tables, backups }: StoreOptions = {}): Promise<Store> {
  const engine = await dialectOf(location).open(location, {
    tables,
    backUp: async (snapshot) => (await import('./backup.ts')).backUpInto(backups, snapshot, tables ?? []),
  });
  return storeOver(engine, tables === undefined ? undefined : announce(engine));
}

function storeOver(engine: Engine, presence: Presence | undefined): Store {
  const feed = createFeed(engine);
  return {
    location: engine.location,
    read: (queries) => engine.read(queries),
    commit: (writes, journal) => engine.commit(writes, journal),
    after: (seq, limit) => engine.after(seq, limit),
    head: () => engine.head(),
    now: () => engine.now(),
    follow: (seq, signal) => feed.follow(seq, signal),
    async close() {
      feed.close();
      await presence?.end();
      await engine.close();
    },
  };
}
