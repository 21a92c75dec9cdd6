import { isProblem, Problem } from '../kernel/problem.ts';
import type { Store } from '../kernel/store.ts';
import { dialects } from './dialects.ts';
import type { Engine } from './engine.ts';
import { createFeed } from './feed.ts';
import { migrations } from './migrations.ts';

/** `location` is the path of a SQLite file or a postgres:// URL. */
export async function openStore(location: string): Promise<Store> {
  const dialect = dialects.find((candidate) => candidate.serves(location));
  if (!dialect) {
    throw new Problem('STORE_UNAVAILABLE', {
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
    if (isProblem(error)) throw error;
    const problem = new Problem('STORE_UNAVAILABLE', { location: engine.location, reason: messageOf(error) });
    problem.cause = error;
    throw problem;
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
