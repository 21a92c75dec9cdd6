import type { Toolset } from './toolset.ts';

/** The owner of a token. */
export interface Principal {
  readonly role: string;
  readonly identity: string;
  /** A person of the user's own database. The tokens of all other databases are agents'. */
  readonly person: boolean;
  /** The key of the user database that this person is in. */
  readonly userDatabase?: string;
  /** The only toolsets that it gives access to; undefined: all that its role may have. */
  readonly toolsets?: readonly Toolset[];
}

/** Whether a principal identifies one caller. The daemon's token is shared by all agents of an operating-system user. */
export function isOneCaller({ identity, person }: Principal): boolean {
  return person || !identity.startsWith('os:');
}

export function isSamePrincipal(one: unknown, other: Principal): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
