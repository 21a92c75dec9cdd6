import type { Principal } from '../../kernel/principal.ts';

/** Who sends a request. */
export interface Sender {
  readonly principal: Principal;
  /** Whether they could still send it. A stream asks again and again: a token can be revoked. */
  readonly stillIn: () => Promise<boolean>;
}
