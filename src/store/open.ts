import type { Store } from '../kernel/store.ts';
import { dialects } from './dialects.ts';
import type { Engine } from './engine.ts';
import { createFeed } from './feed.ts';
import { unavailable } from './unavailable.ts';
import { migrations } from './migrations.ts';
import { problem } from '../kernel/problem.ts';

/** `location` is the path of a SQLite file or a postgres:// URL. */
export async function openStore(location: string): Promise<Store> {
  const dialect = dialects.find((candidate) => candidate.serves(location));
  if (!dialect) {
    throw problem.STORE_UNAVAILABLE({
      location: location.replace(/\/\/[^@/]*@/, '//'),
      reason: 'this is neither the path of a file nor a postgres:// URL',
    });
  }
  const engine = await dialect.open(location);
  try {
    await engine.migrate(migrations);
  } catch (error) {
    // The failure to migrate is the one to report, whatever closing says.
    await engine.close().catch(() => {});
    throw unavailable(engine.location, error);
  }
  return storeOver(engine);
}

function storeOver(engine: Engine): Store {
  const feed = createFeed(engine);
  return {
    location: engine.location,
    read: (queries) => engine.read(queries),
    commit: (writes, journal) => engine.commit(writes, journal),
    after: (seq, limit) => engine.after(seq, limit),
    head: () => engine.head(),
    version: () => engine.version(),
    follow: (seq, signal) => feed.follow(seq, signal),
    async close() {
      feed.close();
      await engine.close();
    },
  };
}
