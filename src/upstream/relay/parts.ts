import type { Once } from '../../base/once.ts';
import type { Upstream } from '../link/upstream.ts';
import type { Forwarding } from './forward.ts';
import type { Naming } from './naming.ts';

/** Dependencies of the relay. */
export interface RelayParts extends Forwarding {
  readonly upstreams: readonly Upstream[];
  readonly naming: Naming;
  /** Resolves when the stored tool lists are loaded. */
  readonly loaded: Once<true>;
}
