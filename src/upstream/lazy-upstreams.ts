import { once } from '../base/once.ts';
import type { Host } from '../kernel/module.ts';
import type { Relay, RelayChange } from '../kernel/relay.ts';

/** Loads the upstreams' code when a client first needs them, so that `initialize` never waits for it. */
export function lazyUpstreams(host: Host) {
  const listeners = new Set<(change: RelayChange) => void>();
  const get = once(async () =>
    (await import('./upstreams.ts')).createUpstreams({
      context: () => host.context(),
      ours: () => host.toolNames(),
      changed: (change) => {
        for (const listener of listeners) listener(change);
      },
    }),
  );
  const relay: Relay = {
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
  };
  return { get, relay, close: async () => (await get.begun())?.close() };
}
