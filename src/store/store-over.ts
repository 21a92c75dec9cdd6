import type { Store } from '../kernel/store/store.ts';
import type { Engine } from './engine.ts';
import { createFeed } from './feed.ts';
import type { Presence } from './presence.ts';

export function storeOver(engine: Engine, presence?: Presence): Store {
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
