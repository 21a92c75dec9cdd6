import type { Context } from '../../kernel/context.ts';
import type { Endpoint } from '../../kernel/endpoint.ts';
import { upstreamsPort } from '../ports.ts';
import { readStatus } from './status.ts';

/** Health endpoint for monitoring the daemon: 200 while no upstream in use is disconnected, otherwise 503. */
export function upstreamHealth(contextOf: (project: string | undefined) => Promise<Context | undefined>): Endpoint {
  return {
    method: 'GET',
    path: '/health/upstreams',
    access: 'token',
    async handle({ query }) {
      const here = await contextOf(query.get('project') ?? undefined);
      if (here === undefined) return { status: 404, body: { error: 'Name a project: ?project=/path/to/it' } };
      const upstreams = await upstreamsPort.of(here)();
      await upstreams.loaded();
      const list = await readStatus(here, upstreams.list);
      const down = list.filter((one) => one.state === 'disconnected');
      const isOk = down.length === 0;
      return { status: isOk ? 200 : 503, body: { status: isOk ? 'ok' : 'degraded', upstreams: list } };
    },
  };
}
