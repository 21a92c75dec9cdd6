/** A table and who may not be believed about it: what each module's `tables.ts` declares, the store makes. */
export interface Table {
  readonly name: string;
  /** `name type [not null] …`, by name, in SQL that both databases understand. */
  readonly columns: Readonly<Record<string, string>>;
  readonly key: readonly [string, ...string[]];
  /** Columns that decide nothing (beats, leases, caches): their changes are not journalled. */
  readonly volatile?: readonly string[];
  /** Whole statements: indexes. */
  readonly indexes?: readonly string[];
}
