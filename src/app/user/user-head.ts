import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Author, entry, journalQuery } from '../../kernel/store/journal.ts';
import { parsed } from '../../kernel/store/row.ts';
import type { Entry, Store } from '../../kernel/store/store.ts';
import type { Fault } from '../../store/verify.ts';
import { type Owner, openUserStore } from './user-store.ts';

const kind = 'user.head';

/** The newest entry of the user's own journal, as a project's journal has it. */
interface Head {
  readonly seq: number;
  readonly link: string;
  /** A person agreed to begin with this one, whatever was there before. */
  readonly anew?: true;
}

const nothing: Head = { seq: 0, link: '' };

/** Several machines may share a project's database, each with its own state of its user. */
function subjectOf({ place }: Owner): string {
  return `user:${hostname()}:${place.data.userDatabase}`;
}

/**
 * An entry that says how far the user's own journal has come, where it has come further than the last one says. What was
 * removed or replaced as a whole shows in no chain of its own: this is a link of it that is kept elsewhere.
 */
export async function userHead(owner: Owner, author: Author, store: Store): Promise<readonly Entry[]> {
  const head = await newestIn(owner);
  const [known = nothing] = await readHeads(owner, store, 1);
  return known.link === head.link || head.seq === 0 ? [] : [entry(author, subjectOf(owner), kind, { ...head })];
}

/** A person prepares the folder again: from now on the user's database as it is now is the one. */
export async function acceptUserHead(owner: Owner, author: Author, store: Store): Promise<void> {
  const head: Head = { ...(await newestIn(owner)), anew: true };
  await store.commit([], [entry(author, subjectOf(owner), kind, { ...head })]);
}

async function newestIn(owner: Owner): Promise<Head> {
  if (!existsSync(owner.place.data.userDatabase)) return nothing;
  const users = await openUserStore(owner);
  try {
    const [[newest] = []] = await users.read([journalQuery({ limit: 1 })]);
    return newest === undefined ? nothing : { seq: Number(newest['seq']), link: String(newest['link']) };
  } finally {
    await users.close();
  }
}

/** Whether the user's own database is gone, or another than the one that this project's journal knows. */
export async function userHeadFaults(owner: Owner, store: Store): Promise<readonly Fault[]> {
  const { userDatabase } = owner.place.data;
  const all = await readHeads(owner, store, most);
  const begun = all.findIndex(({ anew }) => anew === true);
  const heads = all.slice(0, begun === -1 ? all.length : begun + 1).filter(({ seq }) => seq > 0);
  if (heads.length === 0) return [];
  const fault = { table: 'user.db', key: [userDatabase] };
  if (!existsSync(userDatabase))
    return [
      {
        ...fault,
        damage: 'removed',
        detail: {
          en: 'people, tokens and trust were in it, and none of it can be checked',
          ja: '人、トークン、信頼の記録が入っていたため、どれも確認できません',
        },
      },
    ];
  const users = await openUserStore(owner);
  try {
    const found = await users.read(heads.map(({ seq }) => journalQuery({ after: seq - 1, limit: 1 })));
    const lost = heads.find(({ link }, index) => found[index]?.[0]?.['link'] !== link);
    if (lost === undefined) return [];
    const detail = {
      en: `its journal has not the link that entry ${lost.seq} of it had: it was replaced, or its end was cut off`,
      ja: `ジャーナルの ${lost.seq} 番にあったリンクがありません。置き換えられたか、末尾が切り捨てられています`,
    };
    return [{ ...fault, damage: 'changed', detail }];
  } finally {
    await users.close();
  }
}

/** Newest first. The user's journal is short: people, tokens, trust. */
const most = 1000;

async function readHeads(owner: Owner, store: Store, limit: number): Promise<readonly Head[]> {
  const [rows = []] = await store.read([journalQuery({ subject: subjectOf(owner), kinds: [kind], limit })]);
  return rows.map((row) => parsed(row, 'data') as Head);
}
