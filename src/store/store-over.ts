import type { Store } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import type { Engine } from './engine.ts';
import { createFeed } from './feed.ts';
import type { Presence } from './presence.ts';
import { createTouchCheck } from './write-target.ts';

/** Builds a store on an engine. `tables` are those that it can write. */
export function storeOver(engine: Engine, tables: readonly Table[], presence?: Presence): Store {
  const feed = createFeed(engine);
  const checkTouch = createTouchCheck(tables);
  return {
    location: engine.location,
    read: (queries) => engine.read(queries),
    commit: (writes, journal) => engine.commit(writes, journal),
    async touch(writes) {
      writes.forEach(checkTouch);
      return engine.commit(writes, []);
    },
    after: (seq, limit) => engine.after(seq, limit),
    head: () => engine.head(),
    now: () => engine.now(),
    follow: (seq, signal) => feed.follow(seq, signal),
    watch: (hint) => feed.watch(hint),
    async close() {
      feed.close();
      await presence?.end();
      await engine.close();
    },
  };
}
