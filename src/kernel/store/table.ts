/** A table as its owner declares it in `tables.ts`; the store makes it, and the journal follows its rows. */
export interface Table {
  readonly name: string;
  /** `text` or `bigint`, then constraints, in SQL that both databases understand. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly string[];
  /** How the ids of its rows begin; at the command line the beginning of one is enough. */
  readonly ids?: string;
  /** Columns that decide nothing (beats, leases): no digest covers them. `all`: a cache, which the journal does not follow. */
  readonly volatile?: readonly string[] | 'all';
  /**
   * Columns that came after the table's first version. Each can be null, and a row's digest covers it only where it has a value:
   * rows that were written before keep their digests.
   */
  readonly added?: readonly string[];
  /** By the second half of their names: `by_project: 'project, id'`, for some rows only with `… where …` behind it. */
  readonly indexes?: Readonly<Record<string, string>>;
  readonly unique?: Readonly<Record<string, string>>;
}

interface Declared<C extends string> extends Table {
  readonly columns: Readonly<Record<C, string>>;
  readonly key: readonly [NoInfer<C>, ...NoInfer<C>[]];
  readonly volatile?: readonly NoInfer<C>[] | 'all';
  readonly added?: readonly NoInfer<C>[];
}

/** Columns hold JSON and times as text, truth as 0 or 1. A key never changes: the journal knows a row by it. */
export function defineTable<C extends string>(table: Declared<C>): Table {
  for (const column of table.added ?? [])
    if (/\bnot null\b/.test(table.columns[column]))
      throw new TypeError(`${table.name}.${column} must be able to be null`);
  return table;
}
