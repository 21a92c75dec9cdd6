/** A table as its owner declares it in `tables.ts`; the store makes it, and the journal follows its rows. */
export interface Table {
  readonly name: string;
  /** `text` or `bigint`, then constraints, in SQL that both databases understand. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  /** The prefix of its row ids. On the command line a unique beginning of an id is enough. */
  readonly ids?: string;
  /**
   * Columns that no decision depends on (heartbeats, leases): no digest covers them. `all`: a cache, which the journal does
   * not follow.
   */
  readonly volatile?: readonly string[] | 'all';
  /**
   * Columns that were added after the table's first version. Each can be null, and a row's digest covers it only if it has a
   * value: older rows keep their digests.
   */
  readonly added?: readonly string[];
  /** Indexes by the second half of their names: `by_project: 'project, id'`. A partial index ends in `… where …`. */
  readonly indexes?: Readonly<Record<string, string>>;
  readonly unique?: Readonly<Record<string, string>>;
}

interface Declared<C extends string> extends Table {
  readonly columns: Readonly<Record<C, string>>;
  readonly key: readonly [NoInfer<C>, ...NoInfer<C>[]];
  readonly volatile?: readonly NoInfer<C>[] | 'all';
  readonly added?: readonly NoInfer<C>[];
}

/**
 * Declares a table. Columns store JSON and times as text, booleans as 0 or 1. A row's key never changes: the journal
 * identifies it by the key.
 */
export function defineTable<C extends string>(table: Declared<C>): Table {
  for (const column of table.added ?? [])
    if (/\bnot null\b/.test(table.columns[column]))
      throw new TypeError(`${table.name}.${column} must be able to be null`);
  return table;
}
