import { hash, randomBytes } from 'node:crypto';
import { text, readRows } from './store/row.ts';
import type { Principal } from './principal.ts';
import type { Query, Store, Write } from './store/store.ts';
import { isToolset } from './toolset.ts';

/** Makes a bearer token. Only its hash is ever stored. */
export function makeToken(): string {
  return `sk_${randomBytes(24).toString('base64url')}`;
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** The write that makes a token valid. It is committed together with the thing that the token is for. */
export function tokenWrite(
  token: string,
  principal: Omit<Principal, 'person'>,
  label: string,
  at: string,
  expiresAt: string | null,
): Write {
  return {
    sql: `insert into token (hash, role, identity, label, toolsets, created_at, expires_at)
      values (:hash, :role, :identity, :label, :toolsets, :at, :expires) on conflict (hash) do nothing`,
    args: {
      hash: hashToken(token),
      role: principal.role,
      identity: principal.identity,
      label,
      toolsets: principal.toolsets?.join(',') ?? null,
      at,
      expires: expiresAt,
    },
  };
}

/** Revokes every token with this label. */
export function revokeWrite(label: string): Write {
  return { sql: 'delete from token where label = :label', args: { label } };
}

/** Revokes every token of an identity. */
export function revokeIdentityWrite(identity: string): Write {
  return { sql: 'delete from token where identity = :identity', args: { identity } };
}

/** Revokes all tokens: after a restore the agents of the backup no longer run. */
export function forgetTokensWrite(): Write {
  return { sql: 'delete from token', args: {} };
}

/** Every token of a role, oldest first. */
export function tokensQuery(role: string): Query {
  return {
    sql: 'select hash, identity, label, created_at from token where role = :role order by created_at, hash',
    args: { role },
  };
}

/** Reads the owner of a token; undefined if it is unknown or has expired. */
export async function readToken(store: Store, token: string, now: Date): Promise<Principal | undefined> {
  const [row] = await readRows(store, 'select role, identity, toolsets, expires_at from token where hash = :hash', {
    hash: hashToken(token),
  });
  if (row === undefined) return undefined;
  const { expires_at: expiresAt, toolsets } = row;
  if (typeof expiresAt === 'string' && expiresAt <= now.toISOString()) return undefined;
  return {
    role: text(row, 'role'),
    identity: text(row, 'identity'),
    person: false,
    ...(typeof toolsets === 'string' && { toolsets: toolsets.split(',').filter(isToolset) }),
  };
}
