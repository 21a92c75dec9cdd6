import { type Author, entry } from '../kernel/store/journal.ts';
import { defineProblems } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';
import type { Principal } from '../kernel/principal.ts';
import { text, readRows } from '../kernel/store/row.ts';
import { personRole } from '../kernel/role.ts';
import type { Store, Write } from '../kernel/store/store.ts';
import { readUserKey } from './key.ts';
import { hashToken, makeToken, readToken, revokeWrite, tokensQuery, tokenWrite } from '../kernel/token.ts';
import * as ja from './ja.ts';

export const englishProblem = {
  PERSON_EXISTS: ({ name }: { name: string }) =>
    `The person "${name}" already exists. For another token: sekisho token create --person ${name}`,
  PERSON_NOT_FOUND: ({ name, known }: { name: string; known: readonly string[] }) =>
    `There is no person "${name}"${known.length > 0 ? ` (there are: ${known.join(', ')})` : ''}. Add one with sekisho admin add-person ${name}`,
  PERSON_IS_USER: ({ name }: { name: string }) =>
    `${name} is the operating-system user who owns this data and cannot be removed. To end tokens and browsers: sekisho token revoke, sekisho session revoke --all`,
  TOKEN_NOT_FOUND: ({ id }: { id: string }) => `There is no token "${id}". sekisho token list shows them.`,
};

export const problem = defineProblems(englishProblem, ja.personProblem);

export const englishPhrase = {
  newToken: ({ identity }: { identity: string }) =>
    `A new token for ${identity}. Anyone with this token acts as that person, in every project of this user.`,
  newPerson: ({ name }: { name: string }) =>
    `A new person "${name}", with their own token. Their approvals count separately from yours.`,
  revoke: ({ id }: { id: string }) => `The token ${id} will stop working.`,
  removePerson: ({ name, tokens, sessions }: { name: string; tokens: number; sessions: number }) =>
    `"${name}" will be removed: ${count(tokens, 'token')} and ${count(sessions, 'browser session')} end at once. What ${name} approved stays in the history.`,
  openSessions: ({ identity, sessions }: { identity: string; sessions: number }) =>
    `${identity} is still signed in to the dashboard (${count(sessions, 'browser session')}).`,
  endSessionsLater: () =>
    'sekisho session list shows them, sekisho session revoke <id> ends one. With --sessions, token revoke ends all.',
  sessionsEnded: ({ sessions }: { sessions: number }) => `Also ended: ${count(sessions, 'browser session')}.`,
  shownOnce: () => 'It is shown only once and not stored. Use it as SEKISHO_TOKEN.',
  createToken: () => 'Create this token?',
  addPerson: () => 'Add this person?',
  confirmRemoval: () => 'Remove this person?',
  revokeToken: () => 'Revoke this token?',
  endSessions: () => 'Sign them out too?',
};

export const phrase = definePhrases(englishPhrase, ja.person);

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

export function personId(name: string): string {
  return `person:${name}`;
}

/** The label of people's tokens. Agents' tokens, such as the one for client configurations, have other labels. */
const label = 'person';

export async function readUserToken(store: Store, token: string, now: Date): Promise<Principal | undefined> {
  const found = await readToken(store, token, now);
  if (found?.role !== personRole) return found;
  return { ...found, person: true, userDatabase: await readUserKey(store) };
}

/** Make the commit a conflict if this person was removed. The operating-system user always exists. */
export function personExistsWrites(identity: string): readonly Write[] {
  const name = nameOf(identity);
  if (name === undefined) return [];
  return [{ sql: 'update person set added_by = added_by where name = :name', args: { name }, rows: 1 }];
}

function nameOf(identity: string): string | undefined {
  return identity.startsWith(personId('')) ? identity.slice(personId('').length) : undefined;
}

export async function refuseUnknownPerson(store: Store, identity: string): Promise<never> {
  throw problem.PERSON_NOT_FOUND({ name: nameOf(identity) ?? identity, known: await listPeople(store) });
}

/** Creates a person's token. Only its hash is stored. */
export async function createPersonToken(
  store: Store,
  by: Author,
  identity: string,
  token: string = makeToken(),
): Promise<string> {
  const id = tokenId(token);
  const outcome = await store.commit(
    [
      ...personExistsWrites(identity),
      tokenWrite(token, { role: personRole, identity }, `${label}:${id}`, by.now().toISOString(), null),
    ],
    [entry(by, `token:${id}`, 'token.created', { role: personRole, identity })],
  );
  if (!outcome.done) await refuseUnknownPerson(store, identity);
  return token;
}

function tokenId(token: string): string {
  return hashToken(token).slice(0, 12);
}

export interface ListedToken {
  readonly id: string;
  readonly identity: string;
  readonly created_at: string;
}

export async function listPersonTokens(store: Store): Promise<readonly ListedToken[]> {
  const [rows = []] = await store.read([tokensQuery(personRole)]);
  return rows.map((row) => ({
    id: text(row, 'hash').slice(0, 12),
    identity: text(row, 'identity'),
    created_at: text(row, 'created_at'),
  }));
}

export async function findPersonToken(store: Store, id: string): Promise<ListedToken> {
  const found = (await listPersonTokens(store)).find((one) => one.id === id);
  if (found === undefined) throw problem.TOKEN_NOT_FOUND({ id });
  return found;
}

/** The write that ends one token; commit it with its journal entry. */
export function revokePersonTokenWrite(id: string): Write {
  return revokeWrite(`${label}:${id}`);
}

export async function addPerson(store: Store, by: Author, name: string): Promise<void> {
  const outcome = await store.commit(
    [
      {
        sql: 'insert into person (name, added_by, at) values (:name, :by, :at) on conflict (name) do nothing',
        args: { name, by: by.actor.id, at: by.now().toISOString() },
        rows: 1,
      },
    ],
    [entry(by, personId(name), 'person.added', { name })],
  );
  if (!outcome.done) throw problem.PERSON_EXISTS({ name });
}

export async function listPeople(store: Store): Promise<readonly string[]> {
  const rows = await readRows(store, 'select name from person order by name');
  return rows.map((row) => text(row, 'name'));
}
