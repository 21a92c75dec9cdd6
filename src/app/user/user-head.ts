import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Author, entry, journalQuery } from '../../kernel/store/journal.ts';
import { parsed } from '../../kernel/store/row.ts';
import type { Entry, Store } from '../../kernel/store/store.ts';
import type { Fault } from '../../store/verify.ts';
import { type Owner, withUserStore } from './user-store.ts';

const kind = 'user.head';

/** The newest entry of the user's own journal, as recorded in a project's journal. */
interface Head {
  readonly seq: number;
  readonly link: string;
  /** A person agreed to start from this entry, whatever was recorded before. */
  readonly accepted?: true;
}

const nothing: Head = { seq: 0, link: '' };

/** The journal subject of a user database. Several machines may share a project's database, each with its own user state. */
function subjectOf({ place }: Owner): string {
  return `user:${hostname()}:${place.data.userDatabase}`;
}

/**
 * An entry with the newest link of the user's own journal, if that link is not recorded yet. A journal that is removed or
 * replaced as a whole cannot show that itself, so a project's journal keeps its link.
 */
export async function userHead(owner: Owner, author: Author, store: Store): Promise<readonly Entry[]> {
  const head = await newestIn(owner);
  const [known = nothing] = await readHeads(owner, store, 1);
  return known.link === head.link || head.seq === 0 ? [] : [entry(author, subjectOf(owner), kind, { ...head })];
}

/** Accepts the present user database: a person ran `init` again. */
export async function acceptUserHead(owner: Owner, author: Author, store: Store): Promise<void> {
  const head: Head = { ...(await newestIn(owner)), accepted: true };
  await store.commit([], [entry(author, subjectOf(owner), kind, { ...head })]);
}

async function newestIn(owner: Owner): Promise<Head> {
  if (!existsSync(owner.place.data.userDatabase)) return nothing;
  const [[newest] = []] = await withUserStore(owner, (users) => users.read([journalQuery({ limit: 1 })]));
  return newest === undefined ? nothing : { seq: Number(newest['seq']), link: String(newest['link']) };
}

/** Checks whether the user's own database is gone, or is not the one that this project's journal knows. */
export async function userHeadFaults(owner: Owner, store: Store): Promise<readonly Fault[]> {
  const { userDatabase } = owner.place.data;
  const all = await readHeads(owner, store, most);
  // Older entries name the flag differently; a head has no other one.
  const begun = all.findIndex((head) => Object.values(head).includes(true));
  const heads = all.slice(0, begun === -1 ? all.length : begun + 1).filter(({ seq }) => seq > 0);
  if (heads.length === 0) return [];
  const fault = { table: 'user.db', key: [userDatabase] };
  if (!existsSync(userDatabase)) {
    const detail = {
      en: 'it contained people, tokens and trust, and none of it can be checked',
      ja: '人、トークン、信頼の記録が入っていたため、どれも確認できません',
    };
    return [{ ...fault, damage: 'removed', detail }];
  }
  const queries = heads.map(({ seq }) => journalQuery({ after: seq - 1, limit: 1 }));
  const found = await withUserStore(owner, (users) => users.read(queries));
  const lost = heads.find(({ link }, index) => found[index]?.[0]?.['link'] !== link);
  if (lost === undefined) return [];
  const detail = {
    en: `the link of entry ${lost.seq} is not in its journal: it was replaced, or its end was cut off`,
    ja: `ジャーナルの ${lost.seq} 番にあったリンクがありません。置き換えられたか、末尾が切り捨てられています`,
  };
  return [{ ...fault, damage: 'changed', detail }];
}

/** The most heads that are read, newest first. The user's journal is short: people, tokens, trust. */
const most = 1000;

async function readHeads(owner: Owner, store: Store, limit: number): Promise<readonly Head[]> {
  const [rows = []] = await store.read([journalQuery({ subject: subjectOf(owner), kinds: [kind], limit })]);
  return rows.map((row) => parsed(row, 'data') as Head);
}
