import { defineModule, type Host } from '../kernel/module.ts';
import { relayPort, type Relay, type RelayChange } from '../kernel/relay.ts';
import { upstreamsPort } from './ports.ts';
import { introduction } from './introduction.ts';
import { settings, upstreamsOf } from './settings.ts';
import { tables } from './tables.ts';
import { once } from '../base/once.ts';

export const upstream = defineModule({
  name: 'upstream',
  settings,
  tables,
  offers(host) {
    const upstreams = lazyUpstreams(host);
    host.onClose(() => upstreams.close());
    const none = upstreamsOf(host).length === 0;
    return [upstreamsPort.offer(upstreams.get), relayPort.offer(none ? undefined : upstreams.relay)];
  },
  introduction: (host) =>
    upstreamsOf(host).flatMap(({ gated, name, skill }) =>
      gated ? [introduction.locked({ upstream: name, skill })] : [],
    ),
  notices: {
    kinds: [],
    tell: async () => [],
    open: async (context, most) => (await import('./link/registry.ts')).openMatters(context, most),
  },
  // Locks all upstreams again: after a restore no process has a connection.
  restored: async () => [
    { sql: 'delete from upstream_activation', args: {} },
    { sql: 'delete from upstream_link', args: {} },
  ],
  catalogue: async () => (await import('./operations.ts')).catalogue,
  endpoints: async () => {
    const { upstreamHealth } = await import('./link/health.ts');
    return (host) => [upstreamHealth((project) => host.systemContext(project))];
  },
  begin: async (context) => (await import('./link/registry.ts')).endOrphans(context).then(() => undefined),
  problems: () => import('./problem.ts'),
});

/** Loads the upstreams' code when a client first needs them, so that `initialize` never waits for it. */
function lazyUpstreams(host: Host) {
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
