import { realpathSync } from 'node:fs';
import { isBelow } from '../../base/path.ts';
import { isDatabaseFile } from '../../config/database.ts';
import type { Config } from '../../config/load.ts';
import type { Actor } from '../../kernel/context.ts';
import { type Author, entry, journalQuery } from '../../kernel/store/journal.ts';
import { isJsonObject } from '../../base/json-object.ts';
import { type Problem, refusal } from '../../kernel/problem.ts';
import { agentRole, personRole } from '../../kernel/role.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import type { Row, Store } from '../../kernel/store/store.ts';
import { type Fault, collectFaults } from '../../store/verify.ts';
import { readUserKey } from '../../user/key.ts';
import { openUserStore } from './user-store.ts';

/** Of a configuration: whose user database it is, and which store. */
type Here = Pick<Config, 'place' | 'user' | 'environment' | 'db'>;

const subject = 'people';
const admitted = 'user.admitted';
const dismissed = 'user.dismissed';
const restored = 'store.restored';

/** What an entry says about the keys whose people count. */
interface Said {
  readonly key?: string;
  /** Nobody had to agree: see `admitAnew` and `admissionAfter`. */
  readonly anew?: true;
  /** Of a restore: all keys whose people count from then on. */
  readonly admitted?: readonly string[];
  /** The user database of the person who wrote the entry. */
  readonly user_db?: string;
}

/** Where somebody changed the entry by hand it says nothing; that it was changed is found elsewhere. */
function saidIn(row: Row): Said {
  try {
    const data = parsed(row, 'data');
    return isJsonObject(data) ? data : {};
  } catch {
    return {};
  }
}

/** The keys after an entry, of those before it. Only who counts already can admit or dismiss; the first one needs nobody. */
function keysAfter(keys: readonly string[], row: Row): readonly string[] {
  const kind = text(row, 'kind');
  if (kind !== admitted && kind !== dismissed && kind !== restored) return keys;
  const { key = '', anew, admitted: all, user_db: by = '' } = saidIn(row);
  if (kind === restored) return all ?? (anew === true ? [...new Set([...keys, by])] : keys);
  if (kind === dismissed) return keys.includes(by) ? keys.filter((one) => one !== key) : keys;
  return keys.length === 0 || keys.includes(by) || anew === true ? [...new Set([...keys, key])] : keys;
}

/** The keys of the user databases whose people count in a store. */
export async function readAdmitted(store: Store): Promise<readonly string[]> {
  const excerpt = { subjects: [subject, 'store'], kinds: [admitted, dismissed, restored] };
  const [rows = []] = await store.read([journalQuery({ ...excerpt, after: 0, limit: 10_000 })]);
  return rows.reduce(keysAfter, [] as readonly string[]);
}

/** From now on the people of this user database count. */
export async function admitKey(store: Store, by: Author, key: string): Promise<void> {
  await store.commit([], [entry(by, subject, admitted, { key })]);
}

/** A person at a terminal takes the user database as it is, where the one that the store knew was lost. */
export async function admitAgain(store: Store, by: Author, key: string): Promise<void> {
  await store.commit([], [entry(by, subject, admitted, { key, anew: true })]);
}

/**
 * What a restore says about whose people count. The list does not go back with the rest: nobody who was dismissed returns.
 * Somebody who restores where there was no store has made it, and counts beside those of the backup.
 */
export function admissionAfterRestore(keys: readonly string[]): Pick<Said, 'admitted' | 'anew'> {
  return keys.length === 0 ? { anew: true } : { admitted: keys };
}

/** From now on the people of this user database do not count. */
export async function dismissKey(store: Store, by: Author, key: string): Promise<void> {
  await store.commit([], [entry(by, subject, dismissed, { key })]);
}

/** The key of the user database in this data folder. */
export async function ownUserKey(here: Here): Promise<string> {
  const users = await openUserStore(here);
  try {
    return await readUserKey(users);
  } finally {
    await users.close();
  }
}

/** How a person proved to be one. */
interface Proof {
  /** At a terminal, and not by a token or a browser. */
  readonly terminal: boolean;
}

/** Where a person stands in a store. */
interface Admission {
  readonly key: string;
  readonly admitted: readonly string[];
  /** Where nobody is admitted yet: whether this person may be the first. */
  readonly counts: boolean;
}

export async function readAdmission(here: Here, store: Store, actor: Actor, proof: Proof): Promise<Admission> {
  const key = actor.userDatabase ?? (await ownUserKey(here));
  const keys = await readAdmitted(store);
  const counts = keys.length === 0 ? await mayBeFirst(here, store, proof) : keys.includes(key);
  return { key, admitted: keys, counts };
}

/** Why somebody who is a person elsewhere is none in this store. */
export function notAdmittedProblem({ key, admitted: keys }: Admission): Problem {
  return keys.length === 0 ? refusal.nobodyAdmitted() : refusal.unadmitted({ key });
}

/**
 * The person as they count in a store. Where their user database is not admitted they are an agent there, and `userDatabase` says
 * what a refusal has to name. A role that they asked for by name is refused.
 */
export async function actorIn(
  here: Here & Pick<Config, 'project'>,
  store: Store,
  actor: Actor,
  proof: Proof,
): Promise<Actor> {
  if (!actor.person) return actor;
  const standing = await readAdmission(here, store, actor, proof);
  const { key, admitted: keys } = standing;
  const counted = { ...actor, userDatabase: key };
  if (standing.counts && keys.length > 0) return counted;
  if (standing.counts) {
    await admitKey(store, { actor: counted, project: here.project, now: () => store.now() }, key);
    // Of two at once only the first one in the journal is admitted.
    if ((await readAdmitted(store)).includes(key)) return counted;
  }
  if (keys.length === 0 || actor.role !== personRole) throw notAdmittedProblem(standing);
  return { role: agentRole, id: actor.id, verified: false, person: false, userDatabase: key };
}

/** Admits the user database of whoever sets a store up, where nobody is admitted yet. */
export async function admitFirst(here: Here, store: Store, author: Author): Promise<void> {
  if ((await readAdmitted(store)).length > 0 || !(await mayBeFirst(here, store, { terminal: false }))) return;
  await admitKey(store, author, await ownUserKey(here));
}

/**
 * Whether a store that admitted nobody yet takes this user database as its first: where both are in one data folder, or no person
 * has done anything in the store. In a store of an older version that lies elsewhere it takes a person at a terminal: the data
 * folder is chosen by whoever starts the process.
 */
async function mayBeFirst({ db, place }: Here, store: Store, { terminal }: Proof): Promise<boolean> {
  return terminal || isInside(db, place.data.state) || !(await hasPeople(store));
}

/** Links are followed: one that leads elsewhere makes nothing the folder's own. */
function isInside(db: string, folder: string): boolean {
  return isDatabaseFile(db) && isBelow(realpathSync(db), realpathSync(folder));
}

async function hasPeople(store: Store): Promise<boolean> {
  for await (const row of walk(store)) if (isByPerson(row)) return true;
  return false;
}

/** Entries by people: agents without an identity are marked as unverified, and no other identity begins like theirs. */
function isByPerson(row: Row): boolean {
  const actor = text(row, 'actor');
  return /^(?!agent:|system:|runner:)[^:]+:(os|person):/.test(actor) && !actor.endsWith(' (unverified)');
}

/** Entries by people whose user database was not admitted when they were written. */
export async function admissionFaults(
  store: Store,
): Promise<{ readonly faults: readonly Fault[]; readonly count: number }> {
  const found = collectFaults();
  let keys: readonly string[] = [];
  for await (const row of walk(store)) {
    const before = keys;
    keys = keysAfter(before, row);
    if (keys.length === 0 || !isByPerson(row)) continue;
    const { user_db: key } = saidIn(row);
    if (key !== undefined && (before.includes(key) || keys.includes(key))) continue;
    found.report('journal', [Number(row['seq'])], 'added', {
      en: `${text(row, 'kind')} by ${text(row, 'actor')}, a person of ${key === undefined ? 'an unknown user database' : `the user database ${key}, which is not admitted`}`,
      ja: `${text(row, 'actor')} による ${text(row, 'kind')}。${key === undefined ? 'どのユーザーデータベースの人か分かりません' : `ユーザーデータベース ${key} の人は、ここでは認められていません`}`,
    });
  }
  return { faults: found.faults, count: found.count };
}

const pageSize = 500;

async function* walk(store: Store): AsyncGenerator<Row> {
  for (let after = 0; ;) {
    const [page = []] = await store.read([journalQuery({ after, limit: pageSize })]);
    yield* page;
    after = Number(page.at(-1)?.['seq'] ?? after);
    if (page.length < pageSize) return;
  }
}
