import type { Row, Value, Write } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import { type CountedColumn, countedColumns, rowDigest } from './chain.ts';

/** The table that a statement changes, and the columns that the journal covers. */
export interface WriteTarget {
  readonly table: Table;
  /** Empty if the journal does not follow the table. */
  readonly counted: readonly CountedColumn[];
  readonly removes: boolean;
}

export type TargetOf = (write: Write) => WriteTarget;

/** A changed row in a journal entry: its table, its key, and its digest after the change (null: removed). */
export type Change = readonly [table: string, key: readonly (string | number)[], digest: string | null];

const MOST_READ = 500;
const opening = /^\s*(insert\s+into|update|delete\s+from)\s+(\w+)\b/i;

/**
 * Finds the table that a statement changes by parsing it; the touched rows come from `returning`. So no module can forget to
 * report a change, and the database needs no triggers, which a change by hand would fire too.
 */
export function createTargets(tables: readonly Table[]): TargetOf {
  const known = new Map(tables.map((table) => [table.name, { table, counted: countedColumns(table) }]));
  const read = new Map<string, WriteTarget>();
  return ({ sql }) => {
    const before = read.get(sql);
    if (before !== undefined) return before;
    const [, verb = '', name = ''] = opening.exec(sql) ?? [];
    const target = known.get(name);
    if (target === undefined)
      throw new TypeError(
        `A write inserts into, updates or deletes from a table that the store was opened with: ${sql}`,
      );
    const found = { ...target, removes: /^delete/i.test(verb) };
    // This many different statements must be generated ones.
    if (read.size >= MOST_READ) read.clear();
    read.set(sql, found);
    return found;
  };
}

const textOrComment = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g;
const innermostParentheses = /\([^()]*\)/g;
const setClause = /^\s*update\s+\w+\s+set\s(?<assignments>[\s\S]*?)(?:\bwhere\b|$)/i;

/**
 * Makes a check that throws if a write changes something that the journal covers, because no entry would mention it. It only
 * lets pass what it can read: `update table set column = …`, where every column is volatile.
 */
export function createTouchCheck(tables: readonly Table[]): (write: Write) => void {
  const targetOf = createTargets(tables);
  return (write) => {
    const { table, counted } = targetOf(write);
    if (counted.length === 0) return;
    const isVolatile = (name: string): boolean =>
      name in table.columns && !counted.some((column) => column.name === name);
    if (setColumns(write.sql)?.every(isVolatile) !== true)
      throw new TypeError(`A touch updates only volatile columns of ${table.name}; commit this instead: ${write.sql}`);
  };
}

/** The columns that an update sets; undefined for any other statement, and for an update that is written in another way. */
function setColumns(sql: string): readonly string[] | undefined {
  let plain = sql.replaceAll(textOrComment, ' ');
  for (let before = ''; before !== plain;) {
    before = plain;
    plain = plain.replaceAll(innermostParentheses, ' ');
  }
  const assignments = setClause.exec(plain)?.groups?.['assignments']?.split(',');
  const names = assignments?.map((one) => /^\s*(\w+)\s*=/.exec(one)?.[1]);
  return names?.every((name) => name !== undefined) === true ? names : undefined;
}

/** The journal's record of a touched row. A removed row is recorded by its key alone. */
export function changeOf({ table, counted, removes }: WriteTarget, row: Row): Change {
  const value = (name: string): Value => row[name] ?? null;
  const key = table.key.map((name) => value(name) ?? '');
  return [table.name, key, removes ? null : rowDigest(counted, value)];
}
