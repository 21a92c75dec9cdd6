import { entry } from '../kernel/journal.ts';
import { defineProblems } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text.ts';
import type { Author } from '../kernel/journal.ts';
import type { Principal } from '../kernel/principal.ts';
import { text } from '../kernel/row.ts';
import { personRole } from '../kernel/role.ts';
import type { Store } from '../kernel/store.ts';
import { hashToken, makeToken, readToken, revokeWrite, tokensQuery, tokenWrite } from '../kernel/token.ts';

export const problem = defineProblems({
  PERSON_EXISTS: {
    en: ({ name }: { name: string }) =>
      `There is a person "${name}" already. For another token of theirs: sekisho token create --person ${name}`,
    ja: ({ name }) => `「${name}」さんは既に登録されています。別のトークン: sekisho token create --person ${name}`,
  },
  PERSON_NOT_FOUND: {
    en: ({ name, known }: { name: string; known: readonly string[] }) =>
      `There is no person "${name}"${known.length > 0 ? ` (there are: ${known.join(', ')})` : ''}. Add one with sekisho admin add-person ${name}`,
    ja: ({ name, known }) =>
      `「${name}」さんは登録されていません${known.length > 0 ? ` (登録済み: ${known.join(', ')})` : ''}。追加するには sekisho admin add-person ${name}`,
  },
  TOKEN_NOT_FOUND: {
    en: ({ id }: { id: string }) => `There is no token "${id}". sekisho token list shows them.`,
    ja: ({ id }) => `トークン「${id}」はありません。sekisho token list で確認してください。`,
  },
});

export const phrase = definePhrases({
  newToken: {
    en: ({ identity }: { identity: string }) =>
      `A new token for ${identity}. Whoever shows it is that person, in every project of this user.`,
    ja: ({ identity }) =>
      `${identity} の新しいトークンを作成します。これを示す者は、このユーザーのすべてのプロジェクトでその人として扱われます。`,
  },
  newPerson: {
    en: ({ name }: { name: string }) =>
      `A new person "${name}", with a token of their own: their approvals count beside yours.`,
    ja: ({ name }) =>
      `「${name}」さんを専用のトークンとともに追加します。この人の承認はあなたの承認とは別に数えられます。`,
  },
  revoke: {
    en: ({ id }: { id: string }) => `The token ${id} will open nothing any more.`,
    ja: ({ id }) => `トークン ${id} は使えなくなります。`,
  },
  shownOnce: {
    en: () => 'It is shown this once and kept nowhere. Use it as SEKISHO_TOKEN.',
    ja: () => 'ここで一度だけ表示され、どこにも保存されません。SEKISHO_TOKEN に設定して使ってください。',
  },
  createToken: { en: () => 'Make this token?', ja: () => 'このトークンを作成しますか?' },
  addPerson: { en: () => 'Add this person?', ja: () => 'この人を追加しますか?' },
  revokeToken: { en: () => 'Revoke this token?', ja: () => 'このトークンを無効にしますか?' },
});

/** How a person of a name stands in journals and approvals. */
export function personId(name: string): string {
  return `person:${name}`;
}

/** Marks tokens that are people's; those of agents, like the one for client configurations, have other labels. */
const label = 'person';

/** Whose token this is, of those that the user's state knows. */
export async function readUserToken(store: Store, token: string, now: Date): Promise<Principal | undefined> {
  const found = await readToken(store, token, now);
  return found && { ...found, person: found.role === personRole };
}

/** Makes a person's token. Only its hash is kept. */
export async function createPersonToken(
  store: Store,
  by: Author,
  identity: string,
  token: string = makeToken(),
): Promise<string> {
  const id = tokenId(token);
  await store.commit(
    [tokenWrite(token, { role: personRole, identity }, `${label}:${id}`, by.now().toISOString(), null)],
    [entry(by, `token:${id}`, 'token.created', { role: personRole, identity })],
  );
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

export async function revokePersonToken(store: Store, by: Author, id: string): Promise<void> {
  const known = await listPersonTokens(store);
  if (!known.some((one) => one.id === id)) throw problem.TOKEN_NOT_FOUND({ id });
  await store.commit([revokeWrite(`${label}:${id}`)], [entry(by, `token:${id}`, 'token.revoked', {})]);
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
  const [rows = []] = await store.read([{ sql: 'select name from person order by name', args: {} }]);
  return rows.map((row) => text(row, 'name'));
}
