import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../kernel/context.ts';
import { entry } from '../kernel/journal.ts';
import { hashToken, makeToken, readToken, tokenWrite } from '../kernel/token.ts';

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
    const found = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
    // A file that the store does not know was not written by us: what is in it may be somebody else's secret.
    if (found !== '' && (await readToken(context.store, found, context.now()))?.role === role) {
      chmodSync(path, 0o600);
      continue;
    }
    const token = await writeToken(path);
    await context.store.commit(
      [tokenWrite(token, { role, identity: `os:${user}` }, 'daemon', context.now().toISOString(), null)],
      [entry(context, `token:${hashToken(token).slice(0, 12)}`, 'token.created', { role })],
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
