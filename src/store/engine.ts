import type { Entry, CommitOutcome, Query, Recorded, Row, Value, Write } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';

/** What a database has to offer; `open.ts` builds the store from it, so a new one is one small file. */
export interface Engine {
  readonly location: string;
  read(queries: readonly Query[]): Promise<readonly (readonly Row[])[]>;
  commit(writes: readonly Write[], journal: readonly [Entry, ...Entry[]]): Promise<CommitOutcome>;
  /** Changes rows of a table that the journal does not follow. Returns how many. */
  touch(query: Query): Promise<number>;
  after(seq: number, limit: number): Promise<readonly Recorded[]>;
  head(): Promise<number>;
  /** The time by which leases and sessions end: the database's, where several machines share it. */
  now(): Date;
  /** Calls `hint` when the journal may have grown, in this process or another. A missed hint is caught by polling. */
  watch(hint: () => void): () => void;
  close(): Promise<void>;
}

/** A table as the database itself describes it, which may be one of an older schema. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: 'bigint' | 'text', notNull: boolean])[];
  readonly key: readonly string[];
}

/** The values of a row in the order of the table's columns. */
export type StoredRow = readonly Value[];

/** The newest entry of a journal. */
export interface Head {
  readonly seq: number;
  readonly link: string;
  readonly epoch: number;
}

/** A consistent, read-only view of a whole database. Writers do not wait for it. */
export interface Snapshot {
  /** For people: without a password. */
  readonly location: string;
  readonly schema: number;
  readonly head: Head;
  readonly tables: readonly StoredTable[];
  /** All rows in the order of the key, in batches of about a megabyte. One table at a time. */
  rows(table: StoredTable): AsyncIterable<readonly StoredRow[]>;
  close(): Promise<void>;
}

/** What takes the place of everything in a store. */
export interface Replacement {
  /** The head of the store that is replaced. A store that has moved on since is left as it is. */
  readonly replaces: Head;
  /** The head of what is loaded; the journal goes on from here. */
  readonly head: Head;
  /** The epoch that begins; every process that has the store open is of an earlier one. */
  readonly epoch: number;
  readonly rows: AsyncIterable<{ readonly table: StoredTable; readonly rows: readonly StoredRow[] }>;
  /** Carried out on what was loaded, and recorded in the first entry like those of a commit. */
  readonly writes: readonly Write[];
  readonly journal: readonly [Entry, ...Entry[]];
}

export interface Opening {
  readonly tables: readonly Table[];
  /** Called before a migration. Returns where the backup is. */
  readonly backUp: (snapshot: Snapshot) => Promise<string>;
}

export interface Dialect {
  readonly id: string;
  /** Does this dialect serve that location (a path or a URL)? */
  serves(location: string): boolean;
  /**
   * Makes the tables that are missing, and migrates those of an older schema, once, even when several processes start at the
   * same moment.
   */
  open(location: string, opening: Opening): Promise<Engine>;
  /** Of those of these tables that are there, whatever schema they are of. */
  snapshot(location: string, tables: readonly Table[]): Promise<Snapshot>;
  /** Replaces the rows of all these tables in one transaction. False where the store is no longer as expected. */
  replace(location: string, tables: readonly Table[], replacement: Replacement): Promise<boolean>;
}
