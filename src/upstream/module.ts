import { defineModule } from '../kernel/module.ts';
import { relayPort } from '../kernel/relay.ts';
import { lazyUpstreams } from './lazy-upstreams.ts';
import { upstreamsPort } from './ports.ts';
import { introduction } from './introduction.ts';
import { settings, upstreamsOf } from './settings.ts';
import { tables } from './tables.ts';

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
