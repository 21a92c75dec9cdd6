import type { Row, Value, Write } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import { type CountedColumn, countedColumns, rowDigest } from './chain.ts';

/** Whose rows a statement changes, and what of them the journal has to know. */
export interface WriteTarget {
  readonly table: Table;
  /** Empty where the journal does not follow the table. */
  readonly counted: readonly CountedColumn[];
  readonly removes: boolean;
}

export type TargetOf = (write: Write) => WriteTarget;

/** A row as a line of the journal names it: its table, its key, and the digest of what it is afterwards. */
export type Change = readonly [table: string, key: readonly (string | number)[], digest: string | null];

const MOST_READ = 500;
const opening = /^\s*(insert\s+into|update|delete\s+from)\s+(\w+)\b/i;

/**
 * Statements are read for the table they change, and asked for the rows they touched (`returning`). So no module can forget to
 * say what it changed, and nothing has to be made in the database that a change by hand would set off too.
 */
export function createTargets(tables: readonly Table[]): TargetOf {
  const known = new Map(tables.map((table) => [table.name, { table, counted: countedColumns(table) }]));
  const read = new Map<string, WriteTarget>();
  const targetOf = (sql: string): WriteTarget => {
    const [, verb = '', name = ''] = opening.exec(sql) ?? [];
    const target = known.get(name);
    if (target === undefined)
      throw new TypeError(
        `A write inserts into, updates or deletes from a table that the store was opened with: ${sql}`,
      );
    return { ...target, removes: /^delete/i.test(verb) };
  };
  return ({ sql }) => {
    const before = read.get(sql);
    if (before !== undefined) return before;
    const found = targetOf(sql);
    // So many are surely generated ones.
    if (read.size >= MOST_READ) read.clear();
    read.set(sql, found);
    return found;
  };
}

/** A row that was touched, as the journal names it. Of one that goes only the key is of interest. */
export function changeOf({ table, counted, removes }: WriteTarget, row: Row): Change {
  const value = (name: string): Value => row[name] ?? null;
  const key = table.key.map((name) => value(name) ?? '');
  return [table.name, key, removes ? null : rowDigest(counted, value)];
}
