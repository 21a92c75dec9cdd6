import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from './kernel/context.ts';
import { entry } from './kernel/journal.ts';
import type { Store } from './kernel/store.ts';
import type { Principal } from './surface/http.ts';

export interface TokenFiles {
  readonly agent: string;
  readonly human: string;
}

/** The two tokens of a daemon, made at its first start. The files are the owner's alone; the store has only hashes. */
export async function ensureTokens(context: Context, user: string): Promise<TokenFiles> {
  const files = { agent: join(context.project.home, 'agent.token'), human: join(context.project.home, 'human.token') };
  await mkdir(context.project.home, { recursive: true, mode: 0o700 });
  for (const role of ['agent', 'human'] as const) {
    const path = files[role];
    const token = existsSync(path) ? readFileSync(path, 'utf8').trim() : await makeToken(path);
    chmodSync(path, 0o600);
    await register(context, token, role, `os:${user}`);
  }
  return files;
}

async function makeToken(path: string): Promise<string> {
  const token = `sk_${randomBytes(24).toString('base64url')}`;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
  return token;
}

async function register(context: Context, token: string, role: string, identity: string): Promise<void> {
  const hash = hashToken(token);
  const [known = []] = await context.store.read([{ sql: 'select hash from token where hash = :hash', args: { hash } }]);
  if (known.length > 0) return;
  await context.store.commit(
    [
      {
        sql: `insert into token (hash, role, identity, label, created_at, expires_at) values (:hash, :role, :identity, 'daemon', :at, null)
          on conflict (hash) do nothing`,
        args: { hash, role, identity, at: context.now().toISOString() },
      },
    ],
    [entry(context, `token:${hash.slice(0, 12)}`, 'token.created', { role })],
  );
}

export function authenticator(store: Store): (token: string) => Promise<Principal | undefined> {
  return async (token) => {
    const [rows = []] = await store.read([
      { sql: 'select role, identity, expires_at from token where hash = :hash', args: { hash: hashToken(token) } },
    ]);
    const row = rows[0];
    if (row === undefined) return undefined;
    if (typeof row['expires_at'] === 'string' && row['expires_at'] < new Date().toISOString()) return undefined;
    return { role: String(row['role']), identity: String(row['identity']) };
  };
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
