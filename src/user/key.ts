import { type Author, entry, journalQuery } from '../kernel/store/journal.ts';
import { text } from '../kernel/store/row.ts';
import type { Store } from '../kernel/store/store.ts';

const keyLength = 20;

/** Writes the first journal entry of a new user database; its key is derived from it. */
export async function beginUserJournal(users: Store, by: Author): Promise<void> {
  if ((await users.head()) === 0) await users.commit([], [entry(by, 'user', 'user.created', {})]);
}

/** The key of a user database in project stores: the first link of its journal, which has a random salt. */
export async function readUserKey(users: Store): Promise<string> {
  const [[first] = []] = await users.read([journalQuery({ after: 0, limit: 1 })]);
  if (first === undefined) throw new Error(`${users.location} has no first entry`);
  return text(first, 'link').slice(0, keyLength);
}

export function isUserKey(word: string): boolean {
  return new RegExp(`^[0-9a-f]{${keyLength}}$`).test(word);
}
