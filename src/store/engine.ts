import type { Entry, Outcome, Query, Recorded, Row, Write } from '../kernel/store.ts';
import type { Table } from '../kernel/table.ts';

/** What a database has to offer; `open.ts` builds the store from it, so a new one is one small file. */
export interface Engine {
  readonly location: string;
  read(queries: readonly Query[]): Promise<readonly (readonly Row[])[]>;
  commit(writes: readonly Write[], journal: readonly [Entry, ...Entry[]]): Promise<Outcome>;
  after(seq: number, limit: number): Promise<readonly Recorded[]>;
  head(): Promise<number>;
  /** The time by which leases and sessions end: the database's, where several machines share it. */
  now(): Date;
  /**
   * The same as before only if nobody has committed anything since, in this process or another; so what was read then still
   * holds. Undefined where that cannot be told for less than a read.
   */
  version(): string | undefined;
  /** Calls `hint` when the journal may have grown, in this process or another. A missed hint is caught by polling. */
  watch(hint: () => void): () => void;
  close(): Promise<void>;
}

export interface Dialect {
  readonly id: string;
  /** Does this dialect serve that location (a path or a URL)? */
  serves(location: string): boolean;
  /** Makes the tables that are missing, once, even when several processes start at the same moment. Without `tables` it makes nothing. */
  open(location: string, tables: readonly Table[] | undefined): Promise<Engine>;
}
