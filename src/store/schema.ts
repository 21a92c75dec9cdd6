import { problem } from '../kernel/problem.ts';
import type { Query } from '../kernel/store/store.ts';
import { defineTable, type Table } from '../kernel/store/table.ts';
import { firstLink } from './chain.ts';
import type { Words } from '../kernel/text/text.ts';
import { unusableStore } from './unavailable.ts';

/** The schema version. It is raised with every change that older programs cannot work with. */
export const schemaVersion = 16;
/** The oldest version that is migrated. */
const oldestVersion = 13;

export const journal = defineTable({
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
    // Every emit queries it, and a run can have any number of other entries.
    by_receipt: "subject, seq where kind = 'hook.receipt'",
  },
});

/** The head: one row with the newest sequence number and its link. The epoch grows with each migration and each restore. */
const head = defineTable({
  name: 'sekisho_head',
  columns: { id: 'bigint not null', seq: 'bigint not null', link: 'text not null', epoch: 'bigint not null default 1' },
  key: ['id'],
});

export const firstHead = `insert into sekisho_head (id, seq, link) values (1, 0, '${firstLink}')`;
export const headQuery: Query = { sql: 'select seq, link, epoch from sekisho_head', args: {} };

/** One row for each process that has the store open, with a lease. */
const connected = defineTable({
  name: 'sekisho_process',
  columns: {
    id: 'text not null',
    schema: 'bigint not null',
    command: 'text not null',
    pid: 'bigint not null',
    machine: 'text not null',
    until: 'text not null',
  },
  key: ['id'],
  volatile: 'all',
});

/** The store's own tables, which no module writes. */
export const ownTables: readonly Table[] = [journal, head, connected];

/** The query by which the journal is followed. */
export const afterSql =
  'select seq, project, at, actor, subject, kind, data from journal where seq > :seq order by seq limit :limit';

/** How a database spells the parts of a table declaration. */
export interface Spelling {
  readonly bigint: string;
  /** Sorts by bytes: a page continues after an id, and that order must not depend on a locale. */
  readonly text: string;
  /** The text after the columns. */
  readonly after: string;
}

/** The statements that create a table. */
export function createStatements(table: Table, spelling: Spelling): readonly string[] {
  const columns = Object.keys(table.columns).map((name) => columnOf(table, name, spelling));
  return [
    `create table ${table.name} (${[...columns, `primary key (${table.key.join(', ')})`].join(', ')})${spelling.after}`,
    ...indexesOf(table).map(({ sql }) => sql),
  ];
}

export function columnOf(table: Table, name: string, spelling: Spelling): string {
  const type = table.columns[name] ?? '';
  return `${name} ${type.replace(/^bigint\b/, spelling.bigint).replace(/^text\b/, spelling.text)}`;
}

export function indexesOf(table: Table): readonly { readonly name: string; readonly sql: string }[] {
  const made = (kind: string, indexes: Readonly<Record<string, string>> = {}) =>
    Object.entries(indexes).map(([end, on]) => {
      const [indexed, where] = on.split(' where ');
      const name = `${table.name}_${end}`;
      return {
        name,
        sql: `create ${kind} ${name} on ${table.name} (${indexed})${where === undefined ? '' : ` where ${where}`}`,
      };
    });
  return [...made('index', table.indexes), ...made('unique index', table.unique)];
}

/** The reason for a store of version 0: it has no tables yet. */
const unmade: Words = {
  en: 'it has no tables yet; run "sekisho doctor", which makes them',
  ja: '表がまだありません。sekisho doctor を実行すると作られます',
};

/** Whether an error says that the store has no tables yet. */
export function isUnmade(error: unknown): boolean {
  return problem.STORE_UNAVAILABLE.is(error) && error.params.reason === unmade;
}

/** Refuses a schema version that this program cannot use. A caller with `makes` creates a new store and migrates an older one. */
export function refuseOtherSchema(version: number, location: string, makes: boolean): void {
  if (version === schemaVersion) return;
  if (version > schemaVersion)
    throw unusableStore(location, {
      en: `a newer Sekisho has written it (schema ${version}, this one has ${schemaVersion}); update Sekisho`,
      ja: `より新しい Sekisho が書いたものです (スキーマ ${version}、こちらは ${schemaVersion})。Sekisho を更新してください`,
    });
  if (version !== 0 && version < oldestVersion)
    throw unusableStore(location, {
      en: `it comes from before the first release (schema ${version}, this one has ${schemaVersion}); move it away and run "sekisho doctor", which makes a new one`,
      ja: `最初のリリースより前のものです (スキーマ ${version}、こちらは ${schemaVersion})。別の場所に移してから sekisho doctor を実行すると、新しく作られます`,
    });
  if (makes) return;
  if (version === 0) throw unusableStore(location, unmade);
  throw unusableStore(location, {
    en: `an older Sekisho has written it (schema ${version}, this one has ${schemaVersion}); run "sekisho doctor", which migrates it`,
    ja: `以前の Sekisho が書いたものです (スキーマ ${version}、こちらは ${schemaVersion})。sekisho doctor を実行すると移行されます`,
  });
}

/** The problem of a process that opened the store before it was migrated or restored. */
export function staleEpochProblem(location: string): Error {
  return unusableStore(location, {
    en: 'it was migrated or restored after this process had opened it; restart this process (in a client: reconnect its server)',
    ja: 'このプロセスが開いたあとに、移行またはバックアップからの復元が行われました。このプロセスを起動し直してください (クライアントではサーバーに接続し直します)',
  });
}
