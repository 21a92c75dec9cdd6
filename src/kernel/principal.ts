import type { Toolset } from './toolset.ts';

/** Who a token belongs to. */
export interface Principal {
  readonly role: string;
  readonly identity: string;
  /** The only toolsets it opens; undefined: all that its role may have. */
  readonly toolsets?: readonly Toolset[];
}
