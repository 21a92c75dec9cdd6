import type { Principal } from '../../kernel/principal.ts';

export interface Sender {
  readonly principal: Principal;
  /** Whether the principal is still authenticated. Streams ask repeatedly, because a token can be revoked. */
  readonly stillIn: () => Promise<boolean>;
}
