import { defineModule } from '../kernel/module.ts';
import { relayPort } from '../kernel/relay.ts';
import { lazyUpstreams } from './lazy-upstreams.ts';
import { upstreamsPort } from './ports.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

export const upstream = defineModule({
  name: 'upstream',
  settings,
  tables,
  offers(host) {
    const upstreams = lazyUpstreams(host);
    host.onClose(() => upstreams.close());
    const { upstreams: configured } = settings.of(host);
    return [upstreamsPort.offer(upstreams.get), relayPort.offer(configured.length === 0 ? undefined : upstreams.relay)];
  },
  catalogue: async () => (await import('./operations.ts')).catalogue,
  endpoints: async () => {
    const { upstreamHealth } = await import('./link/health.ts');
    return (host) => [upstreamHealth((project) => host.systemContext(project))];
  },
  begin: async (context) => (await import('./link/registry.ts')).sweep(context).then(() => undefined),
  problems: () => import('./problem.ts'),
});
