import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../kernel/principal.ts';

/** A request to a server: `method` and `url` are always set, although Node's type has them optional. */
export type Incoming = IncomingMessage & { method: string; url: string };

export interface Sender {
  readonly principal: Principal;
  /** Whether the principal is still authenticated. Streams ask repeatedly, because a token can be revoked. */
  readonly stillIn: () => Promise<boolean>;
}
