import { crypto } from '../kernel/crypto.ts';
import type { Store } from '../kernel/store.ts';
import type { Table } from '../kernel/table.ts';
import { databaseName } from '../kernel/database-name.ts';
import { dialects } from './dialects.ts';
import type { Engine } from './engine.ts';
import { createFeed } from './feed.ts';
import { problem } from '../kernel/problem.ts';

export interface Opening {
  /** Of all modules. Without them the store is as it is found, and takes journal entries but no writes. */
  readonly tables?: readonly Table[];
}

/** `location` is the path of a SQLite file or a postgres:// URL. */
export async function openStore(location: string, { tables }: Opening = {}): Promise<Store> {
  const dialect = dialects.find((candidate) => candidate.serves(location));
  if (!dialect) {
    throw problem.STORE_UNAVAILABLE({
      location: databaseName(location),
      reason: {
        en: 'this is neither the path of a file nor a postgres:// URL',
        ja: 'ファイルのパスでも postgres:// の URL でもありません',
      },
    });
  }
  // Whoever has tables is no hook, and will have more to digest than the few texts for which it is not worth it.
  if (tables !== undefined) crypto();
  return storeOver(await dialect.open(location, tables));
}

function storeOver(engine: Engine): Store {
  const feed = createFeed(engine);
  return {
    location: engine.location,
    read: (queries) => engine.read(queries),
    commit: (writes, journal) => engine.commit(writes, journal),
    after: (seq, limit) => engine.after(seq, limit),
    head: () => engine.head(),
    now: () => engine.now(),
    version: () => engine.version(),
    follow: (seq, signal) => feed.follow(seq, signal),
    async close() {
      feed.close();
      await engine.close();
    },
  };
}
