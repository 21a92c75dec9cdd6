import { hash, randomBytes } from 'node:crypto';
import { text } from './row.ts';
import type { Principal } from './principal.ts';
import type { Query, Store, Write } from './store.ts';
import { isToolset } from './toolset.ts';

/** A secret that its bearer shows. Only its hash is ever stored. */
export function makeToken(): string {
  return `sk_${randomBytes(24).toString('base64url')}`;
}

export function hashToken(token: string): string {
  return hash('sha256', token);
}

/** The write that makes a token valid; commit it with whatever it belongs to. */
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

/** Ends every token with this label. */
export function revokeWrite(label: string): Write {
  return { sql: 'delete from token where label = :label', args: { label } };
}

/** Every token of a role, the oldest first. */
export function tokensQuery(role: string): Query {
  return {
    sql: 'select hash, identity, label, created_at from token where role = :role order by created_at, hash',
    args: { role },
  };
}

interface Known {
  readonly principal: Principal;
  readonly expiresAt: string | undefined;
}

/** Whose token this is; undefined where it is unknown or has expired. */
export async function readToken(store: Store, token: string, now: Date): Promise<Principal | undefined> {
  return principalAt(await findToken(store, hashToken(token)), () => now);
}

/** As many as a machine has agents, several times over. */
const kept = 1000;

/**
 * Reads tokens again and again. What the store said is believed as long as nobody has committed anything since, so that a
 * token that is revoked, by whichever process, ends at once; when it expires is looked at every time. As long as it is
 * believed, its principal is the same object. `as`: what the reader knows of it beside.
 */
export function tokenReader(
  store: Store,
  now: () => Date,
  as: (found: Principal) => Principal = (found) => found,
): (token: string) => Promise<Principal | undefined> {
  let version: string | undefined;
  // By themselves, and only in memory: to digest one takes longer than all the rest.
  const tokens = new Map<string, Known>();
  return async (token) => {
    // Taken before the read: if somebody commits in between, the next call reads again.
    const current = store.version();
    if (current !== version || tokens.size >= kept) tokens.clear();
    version = current;
    const before = tokens.get(token);
    if (before !== undefined) return principalAt(before, now);
    const found = await findToken(store, hashToken(token));
    const known = found && { ...found, principal: as(found.principal) };
    if (known !== undefined && current !== undefined && current === version) tokens.set(token, known);
    return principalAt(known, now);
  };
}

async function findToken(store: Store, hashed: string): Promise<Known | undefined> {
  const [rows = []] = await store.read([
    { sql: 'select role, identity, toolsets, expires_at from token where hash = :hash', args: { hash: hashed } },
  ]);
  const row = rows[0];
  if (row === undefined) return undefined;
  const toolsets = typeof row['toolsets'] === 'string' ? row['toolsets'].split(',').filter(isToolset) : undefined;
  return {
    principal: {
      role: text(row, 'role'),
      identity: text(row, 'identity'),
      person: false,
      ...(toolsets !== undefined && { toolsets }),
    },
    expiresAt: typeof row['expires_at'] === 'string' ? row['expires_at'] : undefined,
  };
}

function principalAt(known: Known | undefined, now: () => Date): Principal | undefined {
  return known?.expiresAt !== undefined && known.expiresAt <= now().toISOString() ? undefined : known?.principal;
}
