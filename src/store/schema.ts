import { problem } from '../kernel/problem.ts';
import type { Query } from '../kernel/store.ts';
import { defineTable, type Table } from '../kernel/table.ts';
import { firstLink } from './chain.ts';
import type { Words } from '../kernel/text.ts';

/** Raised by whatever an older program could not live with. */
export const schemaVersion = 13;

const journal = defineTable({
  name: 'journal',
  columns: {
    seq: 'bigint not null',
    project: 'text not null',
    at: 'text not null',
    actor: 'text not null',
    subject: 'text not null',
    kind: 'text not null',
    data: 'text not null',
    changes: 'text not null',
    salt: 'text not null',
    leaf: 'text not null',
    link: 'text not null',
  },
  key: ['seq'],
  indexes: {
    by_project: 'project, seq',
    by_subject: 'subject, seq',
    // Asked at every emit, of runs with any number of other lines.
    by_receipt: "subject, seq where kind = 'hook.receipt'",
  },
});

/** One row: the newest number and its link. */
const head = defineTable({
  name: 'sekisho_head',
  columns: { id: 'bigint not null', seq: 'bigint not null', link: 'text not null' },
  key: ['id'],
});

export const firstHead = `insert into sekisho_head (id, seq, link) values (1, 0, '${firstLink}')`;
export const headQuery: Query = { sql: 'select seq, link from sekisho_head', args: {} };

/** The store's own; nobody else writes them. */
export const ownTables: readonly Table[] = [journal, head];

/** Of a journal entry as it is followed. */
export const afterSql =
  'select seq, project, at, actor, subject, kind, data from journal where seq > :seq order by seq limit :limit';

export interface Spelling {
  readonly bigint: string;
  /** Sorts by its bytes: pages go on behind an id, and what comes behind it must not depend on a language. */
  readonly text: string;
  /** What follows the columns. */
  readonly after: string;
}

/** The statements that make one table. */
export function creation(table: Table, spelling: Spelling): readonly string[] {
  const columns = Object.entries(table.columns).map(
    ([name, type]) => `${name} ${type.replace(/^bigint\b/, spelling.bigint).replace(/^text\b/, spelling.text)}`,
  );
  const index = (kind: string, indexes: Readonly<Record<string, string>> = {}): readonly string[] =>
    Object.entries(indexes).map(([name, on]) => {
      const [indexed, where] = on.split(' where ');
      return `create ${kind} ${table.name}_${name} on ${table.name} (${indexed})${where === undefined ? '' : ` where ${where}`}`;
    });
  return [
    `create table ${table.name} (${[...columns, `primary key (${table.key.join(', ')})`].join(', ')})${spelling.after}`,
    ...index('index', table.indexes),
    ...index('unique index', table.unique),
  ];
}

/** What can be told from the version alone; 0: nothing is there yet. */
const unmade: Words = {
  en: 'it has no tables yet; run "sekisho doctor", which makes them',
  ja: '表がまだありません。sekisho doctor を実行すると作られます',
};

/** Somebody is about to make it, or nobody ever did. */
export function isUnmade(error: unknown): boolean {
  return problem.STORE_UNAVAILABLE.is(error) && error.params.reason === unmade;
}

export function refuseOtherSchema(version: number, location: string, makes: boolean): void {
  if (version === schemaVersion || (version === 0 && makes)) return;
  if (version > schemaVersion)
    throw unfit(location, {
      en: `a newer Sekisho has written it (schema ${version}, this one has ${schemaVersion}); update Sekisho`,
      ja: `より新しい Sekisho が書いたものです (スキーマ ${version}、こちらは ${schemaVersion})。Sekisho を更新してください`,
    });
  if (version === 0) throw unfit(location, unmade);
  throw unfit(location, {
    en: `it comes from before the first release (schema ${version}, this one has ${schemaVersion}); move it away and run "sekisho doctor", which makes a new one`,
    ja: `最初のリリースより前のものです (スキーマ ${version}、こちらは ${schemaVersion})。別の場所に移してから sekisho doctor を実行すると、新しく作られます`,
  });
}

function unfit(location: string, reason: Words): Error {
  return problem.STORE_UNAVAILABLE({ location, reason });
}
