import type { Entry, CommitOutcome, Query, Recorded, Row, Value, Write } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';

/** The interface to one kind of database. `storeOver` builds the store on it. */
export interface Engine {
  readonly location: string;
  read(queries: readonly Query[]): Promise<readonly (readonly Row[])[]>;
  /** Without entries it is a touch: the journal stays as it is. */
  commit(writes: readonly Write[], journal: readonly Entry[]): Promise<CommitOutcome>;
  /** Writes this process's row in the table of processes. Unlike a commit, a process of any epoch can do this. */
  writePresence(query: Query): Promise<void>;
  after(seq: number, limit: number): Promise<readonly Recorded[]>;
  head(): Promise<number>;
  /** The time by which leases and sessions end: the database's, since several machines can share it. */
  now(): Date;
  /** Calls `hint` when this or another process may have committed. Polling makes up for a missed hint. */
  watch(hint: () => void): () => void;
  close(): Promise<void>;
}

/** A table as the database itself describes it. It can be one of an older schema. */
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
  /** The location for people, without a password. */
  readonly location: string;
  readonly schema: number;
  readonly head: Head;
  readonly tables: readonly StoredTable[];
  /** All rows in the order of the key, in batches of about a megabyte. One table at a time. */
  rows(table: StoredTable): AsyncIterable<readonly StoredRow[]>;
  close(): Promise<void>;
}

/** The new content of a store that is replaced. */
export interface Replacement {
  /** The expected head of the store. A store with another head is left as it is. */
  readonly replaces: Head;
  /** The head of the loaded journal, which continues from there. */
  readonly head: Head;
  /** The new epoch. Processes that have the store open are of an earlier one and can no longer commit. */
  readonly epoch: number;
  readonly rows: AsyncIterable<{ readonly table: StoredTable; readonly rows: readonly StoredRow[] }>;
  /** Writes on the loaded rows, recorded in the first entry like those of a commit. */
  readonly writes: readonly Write[];
  readonly journal: readonly [Entry, ...Entry[]];
}

export interface Opening {
  readonly tables: readonly Table[];
  /** Called before a migration. Returns the path of the backup. */
  readonly backUp: (snapshot: Snapshot) => Promise<string>;
}

export interface Dialect {
  /** Whether it serves a location (a path or a URL). */
  serves(location: string): boolean;
  /** Opens the database, creates missing tables and migrates an older schema, once if several processes start together. */
  open(location: string, opening: Opening): Promise<Engine>;
  /** Opens a snapshot of those of these tables that exist, in any schema version. */
  snapshot(location: string, tables: readonly Table[]): Promise<Snapshot>;
  /** Replaces the rows of these tables in one transaction. False if the store's head is not the expected one. */
  replace(location: string, tables: readonly Table[], replacement: Replacement): Promise<boolean>;
}
