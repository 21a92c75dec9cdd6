import type { Query, Row, Value, Write } from '../kernel/store.ts';
import type { Table } from '../kernel/table.ts';
import { rowDigest } from './chain.ts';

/** Whose rows a statement changes, and what of them the journal has to know. */
export interface Target {
  readonly table: Table;
  /** Empty where the journal does not follow the table. */
  readonly counted: readonly string[];
  readonly removes: boolean;
  /** Of an insert of plain values, and nothing else: what is known of its row before it is there. */
  readonly given: Given | undefined;
}

/** For each column that counts, and for each of the key, the argument that it is given; empty where it is given none. */
interface Given {
  readonly counted: readonly { readonly argument: string; readonly type: string }[];
  readonly key: readonly string[];
}

export type TargetOf = (write: Write) => Target;

/** A row as a line of the journal names it: its table, its key, and the digest of what it is afterwards. */
export type Change = readonly [table: string, key: readonly (string | number)[], digest: string | null];

const MOST_READ = 500;
const opening = /^\s*(insert\s+into|update|delete\s+from)\s+(\w+)\b/i;
const plainInsert = /^\s*insert\s+into\s+\w+\s*\(([\w\s,]+)\)\s*values\s*\(([\w\s,:]+)\)\s*$/i;

/**
 * Statements are read for the table they change, and asked for the rows they touched (`returning`). So no module can forget to
 * say what it changed, and nothing has to be made in the database that a change by hand would set off too.
 */
export function createTargets(tables: readonly Table[]): TargetOf {
  const known = new Map(tables.map((table) => [table.name, { table, counted: countedColumns(table) }]));
  const read = new Map<string, Target>();
  const targetOf = (sql: string): Target => {
    const [, verb = '', name = ''] = opening.exec(sql) ?? [];
    const target = known.get(name);
    if (target === undefined)
      throw new TypeError(
        `A write inserts into, updates or deletes from a table that the store was opened with: ${sql}`,
      );
    return { ...target, removes: /^delete/i.test(verb), given: givenBy(sql, target) };
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

function givenBy(sql: string, { table, counted }: Pick<Target, 'table' | 'counted'>): Given | undefined {
  const [columns = [], values = []] = (plainInsert.exec(sql) ?? [])
    .slice(1)
    .map((list) => list.split(',').map((one) => one.trim()));
  if (columns.length === 0 || columns.length !== values.length) return undefined;
  if (!values.every((one) => /^:\w+$/.test(one))) return undefined;
  const given = new Map(columns.map((name, index) => [name, values[index]!.slice(1)]));
  const argument = (name: string): string => given.get(name) ?? '';
  return {
    counted: counted.map((name) => ({ argument: argument(name), type: table.columns[name] ?? '' })),
    key: table.key.map(argument),
  };
}

/** A row that was touched, as the journal names it. Of one that goes only the key is of interest. */
export function changeOf({ table, counted, removes }: Target, row: Row): Change {
  const value = (name: string): Value => row[name] ?? null;
  const key = table.key.map((name) => value(name) ?? '');
  return [table.name, key, removes ? null : rowDigest(counted.map(value))];
}

/** The same of a row that is only about to be inserted; undefined where the database has to say what it made of the values. */
export function changeAhead({ table, given }: Target, { args }: Query): Change | undefined {
  if (given === undefined || given.counted.length === 0) return undefined;
  const values: Value[] = [];
  for (const { argument, type } of given.counted) {
    const value = args[argument] ?? null;
    if (value !== null && !isKeptAsIs(value, type)) return undefined;
    values.push(value);
  }
  return [table.name, given.key.map((argument) => args[argument] ?? ''), rowDigest(values)];
}

/** A column turns what is not of its type into it, and no database keeps half of a surrogate pair. */
function isKeptAsIs(value: string | number, column: string): boolean {
  return typeof value === 'number'
    ? column.startsWith('bigint') && Number.isSafeInteger(value)
    : column.startsWith('text') && value.isWellFormed() && !value.includes('\0');
}

/** What a row's digest covers: its key and everything that is not volatile. */
export function countedColumns({ columns, key, volatile = [] }: Table): readonly string[] {
  if (volatile === 'all') return [];
  return Object.keys(columns).filter((name) => key.includes(name) || !volatile.includes(name));
}
