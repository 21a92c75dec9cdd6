import type { Once } from '../../base/once.ts';
import type { Upstream } from '../link/upstream.ts';
import type { Forwarding } from './forward.ts';
import type { Naming } from './naming.ts';

/** What passing on is done with. */
export interface RelayParts extends Forwarding {
  readonly upstreams: readonly Upstream[];
  readonly naming: Naming;
  /** Resolves when what is known from earlier is in place. */
  readonly loaded: Once<true>;
}
