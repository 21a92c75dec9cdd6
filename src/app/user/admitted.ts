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
import { collectFaults } from '../../store/verify.ts';
import { readUserKey } from '../../user/key.ts';
import { withUserStore } from './user-store.ts';

/** The parts of a configuration that name the user database and the project's store. */
type Here = Pick<Config, 'place' | 'user' | 'environment' | 'db'>;

const subject = 'people';
const admitted = 'user.admitted';
const dismissed = 'user.dismissed';
const restored = 'store.restored';

/** The data of a journal entry about admitted user databases. */
interface AdmissionData {
  readonly key?: string;
  /** No admitted person had to agree: see `admitAgain` and `admissionAfterRestore`. */
  readonly without_consent?: true;
  /** In an entry of a restore: all keys that are admitted from then on. */
  readonly admitted?: readonly string[];
  /** The user database of the person who wrote the entry. */
  readonly user_db?: string;
}

/** The data of an entry. It is empty if the entry was changed by hand; verification reports that. */
function dataOf(row: Row): AdmissionData {
  try {
    const data = parsed(row, 'data');
    return isJsonObject(data) ? data : {};
  } catch {
    return {};
  }
}

/** Whether no admitted person had to agree. Older entries name this flag differently; no entry has another flag. */
function isWithoutConsent(data: object): boolean {
  return Object.values(data).includes(true);
}

/** The admitted keys after an entry. Only an admitted person can admit or dismiss; the first key needs no one's consent. */
function keysAfter(keys: readonly string[], row: Row): readonly string[] {
  const kind = text(row, 'kind');
  if (kind !== admitted && kind !== dismissed && kind !== restored) return keys;
  const data = dataOf(row);
  const { key = '', admitted: all, user_db: by = '' } = data;
  if (kind === restored) return all ?? (isWithoutConsent(data) ? [...new Set([...keys, by])] : keys);
  if (kind === dismissed) return keys.includes(by) ? keys.filter((one) => one !== key) : keys;
  return keys.length === 0 || keys.includes(by) || isWithoutConsent(data) ? [...new Set([...keys, key])] : keys;
}

/** The keys of the user databases that are admitted in a store. */
export async function readAdmitted(store: Store): Promise<readonly string[]> {
  const excerpt = { subjects: [subject, 'store'], kinds: [admitted, dismissed, restored] };
  const [rows = []] = await store.read([journalQuery({ ...excerpt, after: 0, limit: 10_000 })]);
  return rows.reduce(keysAfter, [] as readonly string[]);
}

/** Admits a user database: its people are people in this store from now on. */
export async function admitKey(store: Store, by: Author, key: string): Promise<void> {
  await store.commit([], [entry(by, subject, admitted, { key })]);
}

/** Admits the present user database after a person at a terminal agreed, because the one that the store knew was lost. */
export async function admitAgain(store: Store, by: Author, key: string): Promise<void> {
  await store.commit([], [entry(by, subject, admitted, { key, without_consent: true })]);
}

/**
 * The admission data of a restore. The present list is kept, so a dismissed user database does not return with the backup.
 * If there was no store, the person who restores is admitted beside those of the backup.
 */
export function admissionAfterRestore(keys: readonly string[]): Pick<AdmissionData, 'admitted' | 'without_consent'> {
  return keys.length === 0 ? { without_consent: true } : { admitted: keys };
}

/** Dismisses a user database: its people are no longer people in this store. */
export async function dismissKey(store: Store, by: Author, key: string): Promise<void> {
  await store.commit([], [entry(by, subject, dismissed, { key })]);
}

/** The key of the user database in this data folder. */
export function ownUserKey(here: Here): Promise<string> {
  return withUserStore(here, readUserKey);
}

/** The proof that a caller is a person: at a terminal, otherwise by a token or a browser. */
type Proof = { readonly terminal: boolean };

/** Whether a person is admitted in a store. */
interface Admission {
  readonly key: string;
  readonly admitted: readonly string[];
  /** Whether the person is admitted or, if no user database is admitted yet, may be the first. */
  readonly counts: boolean;
}

export async function readAdmission(here: Here, store: Store, actor: Actor, proof: Proof): Promise<Admission> {
  const key = actor.userDatabase ?? (await ownUserKey(here));
  const keys = await readAdmitted(store);
  const counts = keys.length === 0 ? await mayBeFirst(here, store, proof) : keys.includes(key);
  return { key, admitted: keys, counts };
}

/** The problem of a person who is not admitted in this store. */
export function notAdmittedProblem({ key, admitted: keys }: Admission): Problem {
  return keys.length === 0 ? refusal.nobodyAdmitted() : refusal.unadmitted({ key });
}

/** The actor in a store. A person who is not admitted is an agent there, or refused if they asked for a role by name. */
export async function actorIn(
  here: Here & Pick<Config, 'project'>,
  store: Store,
  actor: Actor,
  proof: Proof,
): Promise<Actor> {
  if (!actor.person) return actor;
  const admission = await readAdmission(here, store, actor, proof);
  const { key, admitted: keys, counts } = admission;
  const person = { ...actor, userDatabase: key };
  if (counts && keys.length > 0) return person;
  if (counts) {
    await admitKey(store, { actor: person, project: here.project, now: () => store.now() }, key);
    // If two try at once, only the first one in the journal is admitted.
    if ((await readAdmitted(store)).includes(key)) return person;
  }
  if (keys.length === 0 || actor.role !== personRole) throw notAdmittedProblem(admission);
  // A refusal names `userDatabase`.
  return { role: agentRole, id: actor.id, verified: false, person: false, userDatabase: key };
}

/** Admits the user database of the person who sets up a store, if none is admitted yet. */
export async function admitFirst(here: Here, store: Store, author: Author): Promise<void> {
  if ((await readAdmitted(store)).length > 0 || !(await mayBeFirst(here, store, { terminal: false }))) return;
  await admitKey(store, author, await ownUserKey(here));
}

/**
 * Whether a store without an admitted user database accepts this one as its first. It does if both are in one data folder,
 * or if no person has done anything in the store. Otherwise (a store of an older version in another place) it takes a person
 * at a terminal, because any process can be started with a data folder of its choice.
 */
async function mayBeFirst({ db, place }: Here, store: Store, { terminal }: Proof): Promise<boolean> {
  return terminal || isInside(db, place.data.state) || !(await hasPeople(store));
}

/** Whether the database is in the folder, with symbolic links resolved. */
function isInside(db: string, folder: string): boolean {
  return isDatabaseFile(db) && isBelow(realpathSync(db), realpathSync(folder));
}

async function hasPeople(store: Store): Promise<boolean> {
  for await (const row of walk(store)) if (isByPerson(row)) return true;
  return false;
}

/** Whether an entry is by a person. Agents without an identity are marked as unverified; others have another prefix. */
function isByPerson(row: Row): boolean {
  const actor = text(row, 'actor');
  return /^(?!agent:|system:|runner:)[^:]+:(os|person):/.test(actor) && !actor.endsWith(' (unverified)');
}

/** Entries by people whose user database was not admitted when they were written. */
export async function admissionFaults(store: Store) {
  const found = collectFaults();
  let keys: readonly string[] = [];
  for await (const row of walk(store)) {
    const before = keys;
    keys = keysAfter(before, row);
    if (keys.length === 0 || !isByPerson(row)) continue;
    const { user_db: key } = dataOf(row);
    if (key !== undefined && (before.includes(key) || keys.includes(key))) continue;
    found.report('journal', [Number(row['seq'])], 'added', {
      en: `${text(row, 'kind')} by ${text(row, 'actor')}, a person of ${key === undefined ? 'an unknown user database' : `the user database ${key}, which is not admitted`}`,
      ja: `${text(row, 'actor')} による ${text(row, 'kind')}。${key === undefined ? 'どのユーザーデータベースの人か分かりません' : `ユーザーデータベース ${key} の人は、ここでは認められていません`}`,
    });
  }
  return found;
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
