import { definePort } from '../kernel/port.ts';
import type { Upstreams } from './upstreams.ts';

/** The upstreams of this application, for the module's operations. */
export const upstreamsPort = definePort<() => Promise<Upstreams>>('upstream.upstreams', () =>
  Promise.reject(new Error('this process has no upstreams')),
);
