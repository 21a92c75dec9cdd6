import type { Toolset } from './toolset.ts';

/** Who a token belongs to. */
export interface Principal {
  readonly role: string;
  readonly identity: string;
  /** A person, known to the user's own state. Whatever else knows tokens knows only agents'. */
  readonly person: boolean;
  /** The key of the user database that knows this person. */
  readonly userDatabase?: string;
  /** The only toolsets it opens; undefined: all that its role may have. */
  readonly toolsets?: readonly Toolset[];
}

/** A token of the daemon's opens it for every agent of an operating-system user: it says nothing about which one calls. */
export function isSomebody({ identity, person }: Principal): boolean {
  return person || !identity.startsWith('os:');
}

export function isSamePrincipal(one: unknown, other: Principal): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
