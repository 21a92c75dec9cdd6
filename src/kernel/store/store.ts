/*
 * The port to the database. An operation reads what it needs in one snapshot, decides, then commits one batch.
 * No callback ever runs inside a transaction, so nothing can wait there.
 */

/** A value of a column. */
export type Value = string | number | null;

export interface Query {
  /** Plain SQL that both databases understand, with `:name` placeholders. */
  readonly sql: string;
  readonly args: Readonly<Record<string, Value>>;
}

/** An `insert into …`, `update …` or `delete from …` of a declared table. The store records which rows it touched. */
export interface Write extends Query {
  /** The statement must touch exactly that many rows, or the whole batch is a conflict. Absent: any number. */
  readonly rows?: number;
}

export type Row = Readonly<Record<string, Value>>;

/** A journal entry before it is recorded. */
export interface Entry {
  /** The key of the project that it belongs to. */
  readonly project: string;
  readonly at: string;
  readonly actor: string;
  /** The id of the run, agent, task … that changed. */
  readonly subject: string;
  readonly kind: string;
  /** JSON. */
  readonly data: string;
}

/** A journal entry with its sequence number. */
export interface Recorded extends Entry {
  readonly seq: number;
}

export type CommitOutcome =
  | { readonly done: true; readonly seq: number }
  /** `conflict` is the index of the write that missed; re-read and re-decide. */
  | { readonly done: false; readonly conflict: number };

export interface Store {
  /** The location of the database, for people. It never contains a password. */
  readonly location: string;
  /** All queries see one snapshot, in one round trip. */
  read(queries: readonly Query[]): Promise<readonly (readonly Row[])[]>;
  /** Commits writes and journal entries, all or nothing. A unique violation is a conflict too. */
  commit(writes: readonly Write[], journal: readonly [Entry, ...Entry[]]): Promise<CommitOutcome>;
  /**
   * Commits writes without a journal entry (heartbeats, leases), all or nothing as `commit` does; `seq` of the outcome is the
   * newest entry's. Throws if a write changes more than volatile columns.
   */
  touch(writes: readonly Write[]): Promise<CommitOutcome>;
  /** Journal entries with a sequence above `seq`, oldest first. */
  after(seq: number, limit: number): Promise<readonly Recorded[]>;
  /** The newest sequence; 0 for an empty journal. */
  head(): Promise<number>;
  /** The time by which leases and sessions end: the database's, since several machines can share it. */
  now(): Date;
  /** Yields every entry above `seq` once, also new ones of any process, until the signal aborts. */
  follow(seq: number, signal: AbortSignal): AsyncIterable<Recorded>;
  /**
   * Calls `hint` when this or another process may have committed or touched something, and twice a second in case a hint was
   * lost. Returns a function that ends it.
   */
  watch(hint: () => void): () => void;
  close(): Promise<void>;
}
