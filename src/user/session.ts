import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Author, entry } from '../kernel/store/journal.ts';
import type { Principal } from '../kernel/principal.ts';
import { defineProblems } from '../kernel/problem.ts';
import { personRole } from '../kernel/role.ts';
import { text, readRows } from '../kernel/store/row.ts';
import type { Row, Store, Write } from '../kernel/store/store.ts';
import { hashToken } from '../kernel/token.ts';
import { readUserKey } from './key.ts';
import { personExistsWrites, refuseUnknownPerson } from './person.ts';
import * as ja from './ja.ts';

export const english = {
  LINK_SPENT: () => 'This link was used already, or is older than a minute. Run: sekisho open',
  SESSION_NOT_FOUND: ({ id }: { id: string }) =>
    `There is no dashboard session "${id}". sekisho session list shows them.`,
};

export const problem = defineProblems(english, ja.sessionProblem);

const linkMs = 60_000;
const idleMs = 12 * 3_600_000;
const longestMs = 7 * 24 * 3_600_000;
/** Interval of renewals of a session in use: each renewal is an entry in the journal. */
const renewMs = 3_600_000;

/** The two secrets of a browser session, given out once; every request needs both. */
export interface Credentials {
  readonly cookie: string;
  readonly key: string;
}

export interface BrowserSession {
  readonly id: string;
  readonly principal: Principal;
}

export interface ListedSession {
  readonly id: string;
  readonly identity: string;
  readonly browser: string;
  readonly created_at: string;
  readonly expires_at: string;
}

/** Creates a code for one sign-in within a minute. Only its hash is stored. */
export async function createLinkCode(store: Store, by: Author, identity: string): Promise<string> {
  const code = randomBytes(24).toString('base64url');
  const now = by.now();
  const outcome = await store.commit(
    [
      ...personExistsWrites(identity),
      { sql: 'delete from dashboard_link where expires_at <= :now', args: { now: now.toISOString() } },
      {
        sql: 'insert into dashboard_link (hash, identity, expires_at) values (:hash, :identity, :expires)',
        args: { hash: hashToken(code), identity, expires: new Date(now.getTime() + linkMs).toISOString() },
        rows: 1,
      },
    ],
    [entry(by, 'dashboard', 'dashboard.link', { identity })],
  );
  if (!outcome.done) await refuseUnknownPerson(store, identity);
  return code;
}

/** Signs a browser in with the code of a link. A code works once, even if several try it at the same time. */
export async function openSession(store: Store, code: string, browser: string, now: Date): Promise<Credentials> {
  const at = now.toISOString();
  const hash = hashToken(code);
  const [link] = await readRows(store, 'select identity from dashboard_link where hash = :hash and expires_at > :at', {
    hash,
    at,
  });
  if (link === undefined) throw problem.LINK_SPENT();
  const identity = text(link, 'identity');
  const made = { cookie: secret(), key: secret() };
  const outcome = await store.commit(
    [
      { sql: 'delete from dashboard_link where hash = :hash', args: { hash }, rows: 1 },
      { sql: 'delete from dashboard_session where expires_at <= :at or idle_until <= :at', args: { at } },
      {
        sql: `insert into dashboard_session (hash, key_hash, identity, browser, created_at, idle_until, expires_at)
          values (:hash, :key, :identity, :browser, :at, :idle, :expires)`,
        args: {
          hash: hashToken(made.cookie),
          key: hashToken(made.key),
          identity,
          browser: browser.slice(0, 200),
          at,
          idle: new Date(now.getTime() + idleMs).toISOString(),
          expires: new Date(now.getTime() + longestMs).toISOString(),
        },
        rows: 1,
      },
    ],
    [entry(authorOf(identity, now), sessionSubject(idOf(made.cookie)), 'session.opened', { browser })],
  );
  if (!outcome.done) throw problem.LINK_SPENT();
  return made;
}

/** Finds the session of a browser; undefined if a secret is wrong or the session has ended. */
export async function findSession(store: Store, given: Credentials, now: Date): Promise<BrowserSession | undefined> {
  const hash = hashToken(given.cookie);
  const at = now.toISOString();
  const [row] = await readRows(
    store,
    `select key_hash, identity, idle_until, expires_at from dashboard_session
        where hash = :hash and expires_at > :at and idle_until > :at`,
    { hash, at },
  );
  if (row === undefined || !isEqual(hashToken(given.key), text(row, 'key_hash'))) return undefined;
  const identity = text(row, 'identity');
  const renewal = renew(hash, row, now);
  if (renewal !== undefined)
    await store.commit(
      [renewal],
      [entry(authorOf(identity, now), sessionSubject(idOf(given.cookie)), 'session.used', {})],
    );
  const userDatabase = await readUserKey(store);
  return { id: idOf(given.cookie), principal: { role: personRole, identity, person: true, userDatabase } };
}

export async function listSessions(store: Store, now: Date): Promise<readonly ListedSession[]> {
  const rows = await readRows(
    store,
    `select hash, identity, browser, created_at, expires_at from dashboard_session
        where expires_at > :at and idle_until > :at order by created_at, hash`,
    { at: now.toISOString() },
  );
  return rows.map((row) => ({
    id: text(row, 'hash').slice(0, 12),
    identity: text(row, 'identity'),
    browser: text(row, 'browser'),
    created_at: text(row, 'created_at'),
    expires_at: text(row, 'expires_at'),
  }));
}

export async function endSession(store: Store, by: Author, id: string): Promise<void> {
  const outcome = await store.commit(
    [{ sql: 'delete from dashboard_session where substr(hash, 1, 12) = :id', args: { id }, rows: 1 }],
    [entry(by, sessionSubject(id), 'session.ended', {})],
  );
  if (!outcome.done) throw problem.SESSION_NOT_FOUND({ id });
}

export function endSessionsWrites(identity: string): readonly Write[] {
  return [
    { sql: 'delete from dashboard_session where identity = :identity', args: { identity } },
    { sql: 'delete from dashboard_link where identity = :identity', args: { identity } },
  ];
}

export async function endAllSessions(store: Store, by: Author): Promise<number> {
  const ended = await listSessions(store, by.now());
  await store.commit(
    [
      { sql: 'delete from dashboard_session', args: {} },
      { sql: 'delete from dashboard_link', args: {} },
    ],
    [entry(by, 'dashboard', 'session.all-ended', { sessions: ended.map((one) => one.id) })],
  );
  return ended.length;
}

function renew(hash: string, row: Row, now: Date): Write | undefined {
  const idle = new Date(now.getTime() + idleMs).toISOString();
  if (Date.parse(text(row, 'idle_until')) > now.getTime() + idleMs - renewMs) return undefined;
  return { sql: 'update dashboard_session set idle_until = :idle where hash = :hash', args: { idle, hash } };
}

function authorOf(identity: string, now: Date): Author {
  return {
    actor: { role: personRole, id: identity, verified: true, person: true },
    project: { key: 'user' },
    now: () => now,
  };
}

function sessionSubject(id: string): string {
  return `session:${id}`;
}

function idOf(cookie: string): string {
  return hashToken(cookie).slice(0, 12);
}

function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares two digests, which have the same length. */
function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
