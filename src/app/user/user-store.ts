import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/load.ts';
import { markIn } from '../../kernel/agent-marks.ts';
import { type Author, entry } from '../../kernel/store/journal.ts';
import { problem, refusal } from '../../kernel/problem.ts';
import { agentRole, personRole } from '../../kernel/role.ts';
import type { Store } from '../../kernel/store/store.ts';
import { hashToken, makeToken, readToken, tokenWrite } from '../../kernel/token.ts';
import { modules } from '../../modules.ts';
import { openStore } from '../../store/open.ts';
import { beginUserJournal } from '../../user/key.ts';
import { createPersonToken } from '../../user/person.ts';
import { tables } from '../../user/tables.ts';

/** The parts of a configuration that name the user, their state and the environment. */
export type Owner = Pick<Config, 'place' | 'user' | 'environment'>;

/** The least length of a token, so that it cannot be guessed. */
const shortest = 32;

/**
 * Opens the user's own state: people, tokens, trust. If there is none yet, SEKISHO_PERSON_TOKEN sets the first token, for
 * machines that no person sits at. Later the variable is ignored, because an agent could set it too.
 */
export async function openUserStore({ place, user, environment }: Owner): Promise<Store> {
  const { userDatabase, state } = place.data;
  const first = firstToken({ place, environment });
  await mkdir(state, { recursive: true, mode: 0o700 });
  const store = await openStore(userDatabase, { tables, backups: join(state, 'backups') });
  await beginUserJournal(store, authorOf(user));
  if (first !== undefined) await createPersonToken(store, authorOf(user), `os:${user}`, first);
  return store;
}

/** Runs work on the user's own state. */
export async function withUserStore<T>(owner: Owner, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openUserStore(owner);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The token of SEKISHO_PERSON_TOKEN, if the user has no state yet. An unusable one is refused. */
export function firstToken({ place, environment }: Omit<Owner, 'user'>): string | undefined {
  const token = environment['SEKISHO_PERSON_TOKEN'] ?? '';
  if (token === '' || existsSync(place.data.userDatabase)) return undefined;
  const mark = markIn(
    modules.flatMap((one) => one.agents ?? []),
    environment,
  );
  if (mark !== undefined) throw refusal.claim({ role: personRole, evidence: mark });
  // Only characters that HTTP headers can carry.
  if (token.length >= shortest && /^[ -~]+$/.test(token)) return token;
  throw problem.BAD_CONFIGURATION({
    file: 'SEKISHO_PERSON_TOKEN',
    reason: {
      en: `it needs at least ${shortest} characters: ASCII letters, digits, punctuation or spaces`,
      ja: `${shortest} 文字以上の ASCII の英数字、記号、空白が必要です`,
    },
  });
}

/** The author of entries that Sekisho itself writes into the user's journal. */
export function authorOf(user: string): Author {
  return {
    actor: { role: 'system', id: `os:${user}`, verified: false, person: false },
    project: { key: 'user' },
    now: () => new Date(),
  };
}

/**
 * Ensures the agents' token for client configurations, created at the first start of a daemon. It is valid for all of the
 * user's projects, so it is in no project's store. Only the owner can read the file; the user's database has its hash.
 */
export async function ensureAgentToken(store: Store, { place, user }: Owner): Promise<string> {
  const path = place.data.agentToken;
  const by = authorOf(user);
  const found = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  // A token that the store does not know was not written by us and may be known to others.
  if (found !== '' && (await readToken(store, found, by.now()))?.role === agentRole) {
    chmodSync(path, 0o600);
    return path;
  }
  const token = await writeToken(path);
  await store.commit(
    [tokenWrite(token, { role: agentRole, identity: `os:${user}` }, 'daemon', by.now().toISOString(), null)],
    [entry(by, `token:${hashToken(token).slice(0, 12)}`, 'token.created', { role: agentRole })],
  );
  return path;
}

async function writeToken(path: string): Promise<string> {
  const token = makeToken();
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
  return token;
}
