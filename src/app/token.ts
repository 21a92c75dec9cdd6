import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../config/data-folder.ts';
import { entry } from '../kernel/journal.ts';
import type { Store } from '../kernel/store.ts';
import { openStore } from '../store/open.ts';
import { tables } from '../kernel/tables.ts';
import { hashToken, makeToken, readToken, tokenWrite } from '../kernel/token.ts';

export interface TokenFiles {
  readonly agent: string;
  readonly human: string;
}

/** The user's own database, beside those of projects. */
export function openUserStore({ userDatabase }: DataFolder): Promise<Store> {
  return openStore(userDatabase, { tables });
}

export function tokenFiles({ state }: DataFolder): TokenFiles {
  return { agent: join(state, 'agent.token'), human: join(state, 'human.token') };
}

/**
 * The two tokens of a user, made at the first start of a daemon. They open every project of that user on this machine, so
 * they lie in no project's store. The files are the owner's alone; the user's own database has only hashes.
 */
export async function ensureTokens(store: Store, data: DataFolder, user: string, now: () => Date): Promise<TokenFiles> {
  const by = { actor: { role: 'system', id: `os:${user}`, verified: false }, project: { key: 'user' }, now };
  const files = tokenFiles(data);
  await mkdir(data.state, { recursive: true, mode: 0o700 });
  for (const role of ['agent', 'human'] as const) {
    const path = files[role];
    const found = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    // A file that the store does not know was not written by us: what is in it may be somebody else's secret.
    if (found !== '' && (await readToken(store, found, now()))?.role === role) {
      chmodSync(path, 0o600);
      continue;
    }
    const token = await writeToken(path);
    await store.commit(
      [tokenWrite(token, { role, identity: `os:${user}` }, 'daemon', now().toISOString(), null)],
      [entry(by, `token:${hashToken(token).slice(0, 12)}`, 'token.created', { role })],
    );
  }
  return files;
}

async function writeToken(path: string): Promise<string> {
  const token = makeToken();
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
  return token;
}
