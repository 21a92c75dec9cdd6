/** A table as its owner declares it in `tables.ts`; the store makes it, and the journal follows its rows. */
export interface Table {
  readonly name: string;
  /** `text` or `bigint`, then constraints, in SQL that both databases understand. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  /** The prefix of its row ids. On the command line a unique beginning of an id is enough. */
  readonly ids?: string;
  /** Columns without a digest, since no decision depends on them (leases). `all`: a cache outside of the journal. */
  readonly volatile?: readonly string[] | 'all';
  /** Columns added since the first version. They can be null, and then a row's digest does not cover them. */
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

/** Declares a table. JSON and times are text, booleans 0 or 1. A row's key never changes: the journal names it. */
export function defineTable<C extends string>(table: Declared<C>): Table {
  for (const column of table.added ?? [])
    if (/\bnot null\b/.test(table.columns[column]))
      throw new TypeError(`${table.name}.${column} must be able to be null`);
  return table;
}
