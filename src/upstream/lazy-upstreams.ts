import { once } from '../base/once.ts';
import type { Host } from '../kernel/module.ts';
import type { Relay, RelayChange } from '../kernel/relay.ts';
import { version } from '../base/version.ts';
import type { Upstreams } from './upstreams.ts';

export interface LazyUpstreams {
  readonly relay: Relay;
  readonly get: () => Promise<Upstreams>;
  close(): Promise<void>;
}

/** Loads the upstreams' code when a client first needs them, so that `initialize` never waits for it. */
export function lazyUpstreams(host: Host): LazyUpstreams {
  const listeners = new Set<(change: RelayChange) => void>();
  const get = once(async () =>
    (await import('./upstreams.ts')).createUpstreams({
      version,
      context: () => host.context(),
      ours: () => host.toolNames(),
      changed: (change) => {
        for (const listener of listeners) listener(change);
      },
    }),
  );
  return {
    get,
    relay: {
      list: async (kind, caller) => (await get()).relay.list(kind, caller),
      answer: (method, params, wire) => {
        const upstreams = get.made();
        return upstreams === undefined
          ? get().then((made) => made.relay.answer(method, params, wire))
          : upstreams.relay.answer(method, params, wire);
      },
      heard: (connection, method, params) => {
        void get.begun().then((upstreams) => upstreams?.relay.heard(connection, method, params));
      },
      left: (connection) => {
        void get.begun().then((upstreams) => upstreams?.relay.left(connection));
      },
      watch(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    async close() {
      await (await get.begun())?.close();
    },
  };
}
