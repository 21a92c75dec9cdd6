import { type Author, entry } from '../kernel/store/journal.ts';
import type { Store } from '../kernel/store/store.ts';
import { revokeIdentityWrite } from '../kernel/token.ts';
import {
  findPersonToken,
  type ListedToken,
  listPeople,
  listPersonTokens,
  personId,
  problem,
  revokePersonTokenWrite,
} from './person.ts';
import { endSessionsWrites, type ListedSession, listSessions } from './session.ts';

export interface Access {
  readonly tokens: readonly ListedToken[];
  readonly sessions: readonly ListedSession[];
}

export async function listAccess(store: Store, identity: string, now: Date): Promise<Access> {
  const isTheirs = (one: { readonly identity: string }) => one.identity === identity;
  return {
    tokens: (await listPersonTokens(store)).filter(isTheirs),
    sessions: (await listSessions(store, now)).filter(isTheirs),
  };
}

export interface RevokedToken {
  readonly revoked: string;
  /** Numbers of the owner's browser sessions that ended with the token and that stay open. */
  readonly sessions_ended: number;
  readonly sessions_left: number;
}

/** Revokes a token. Browser sessions have their own credentials, so they stay open unless `endSessions` is set. */
export async function revokePersonToken(
  store: Store,
  by: Author,
  id: string,
  { endSessions }: { readonly endSessions: boolean },
): Promise<RevokedToken> {
  const { identity } = await findPersonToken(store, id);
  const { sessions } = await listAccess(store, identity, by.now());
  await store.commit(
    [revokePersonTokenWrite(id), ...(endSessions ? endSessionsWrites(identity) : [])],
    [entry(by, `token:${id}`, 'token.revoked', endSessions ? { sessions: idsOf(sessions) } : {})],
  );
  return {
    revoked: id,
    sessions_ended: endSessions ? sessions.length : 0,
    sessions_left: endSessions ? 0 : sessions.length,
  };
}

export interface RemovedPerson {
  readonly removed: string;
  readonly tokens_ended: number;
  readonly sessions_ended: number;
}

/** Throws unless a person of this name can be removed. The operating-system user is a person without a row, and stays. */
export async function refuseRemoval(store: Store, name: string, user: string): Promise<void> {
  const known = await listPeople(store);
  if (known.includes(name)) return;
  throw name === user ? problem.PERSON_IS_USER({ name }) : problem.PERSON_NOT_FOUND({ name, known });
}

/** Removes a person with their tokens and sessions. Their decisions stay in the journals. */
export async function removePerson(store: Store, by: Author, name: string): Promise<RemovedPerson> {
  const identity = personId(name);
  const { tokens, sessions } = await listAccess(store, identity, by.now());
  const outcome = await store.commit(
    [
      { sql: 'delete from person where name = :name', args: { name }, rows: 1 },
      revokeIdentityWrite(identity),
      ...endSessionsWrites(identity),
    ],
    [entry(by, identity, 'person.removed', { name, tokens: idsOf(tokens), sessions: idsOf(sessions) })],
  );
  if (!outcome.done) throw problem.PERSON_NOT_FOUND({ name, known: await listPeople(store) });
  return { removed: name, tokens_ended: tokens.length, sessions_ended: sessions.length };
}

function idsOf(list: readonly { readonly id: string }[]): readonly string[] {
  return list.map((one) => one.id);
}
