import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Query, Row, Value, Write } from '../../../kernel/store.ts';
import { rowDigest } from '../../chain.ts';
import { placeholders, valuesOf } from '../../placeholders.ts';
import type { Change, Target } from '../../touched.ts';

const MOST_CACHED = 500;

interface Prepared {
  readonly statement: StatementSyncInstance;
  /** One per occurrence: to bind by place takes half as long as by name. */
  readonly names: readonly string[];
  readonly distinct: number;
  /** Of a write. */
  readonly target: Target | undefined;
}

interface Bound extends Pick<Prepared, 'statement' | 'target'> {
  readonly values: readonly Value[];
}

export interface Statements {
  all(query: Query): readonly Row[];
  run(query: Query): void;
  /** The number of rows it touched; what the journal has to know of them goes to `note`. */
  write(write: Write, note: (change: Change) => void): number;
}

/** Prepared once: the driver frees statements only when the event loop turns, so making them anew piles them up. */
export function createStatements(db: DatabaseSyncInstance, targetOf: (write: Query) => Target): Statements {
  const plain = new Map<string, Prepared>();
  const writing = new Map<string, Prepared>();

  function prepare(cache: Map<string, Prepared>, query: Query, make: (sql: string) => Prepared): Bound {
    let prepared = cache.get(query.sql);
    if (!prepared) {
      prepared = make(query.sql);
      const oldest = cache.size < MOST_CACHED ? undefined : cache.keys().next().value;
      if (oldest !== undefined) cache.delete(oldest);
      cache.set(query.sql, prepared);
    }
    const { statement, names, distinct, target } = prepared;
    return { statement, target, values: valuesOf(query, names, distinct) };
  }

  function makeWith(sql: string, target: Target | undefined): Prepared {
    const returning = target === undefined || target.counted.length === 0 ? '' : ` returning ${columnsOf(target)}`;
    const { texts, names } = placeholders(sql);
    return { statement: db.prepare(texts.join('?') + returning), names, distinct: new Set(names).size, target };
  }

  const of = (query: Query): Bound => prepare(plain, query, (sql) => makeWith(sql, undefined));

  return {
    all(query) {
      const { statement, values } = of(query);
      return statement.all(...values) as Row[];
    },
    run(query) {
      const { statement, values } = of(query);
      statement.run(...values);
    },
    write(write, note) {
      const { statement, target, values } = prepare(writing, write, (sql) => makeWith(sql, targetOf(write)));
      if (target === undefined || target.counted.length === 0) return statement.run(...values).changes;
      const rows = statement.all(...values) as Row[];
      for (const row of rows) note(changeOf(target, row));
      return rows.length;
    },
  };
}

/** Of a row that goes only the key is of interest. */
function columnsOf({ table, counted, removes }: Target): string {
  return (removes ? table.key : counted).map((name) => `${table.name}.${name} as ${name}`).join(', ');
}

function changeOf({ table, counted, removes }: Target, row: Row): Change {
  const value = (name: string): Value => row[name] ?? null;
  const key = table.key.map((name) => value(name) ?? '');
  return [table.name, key, removes ? null : rowDigest(counted.map(value))];
}
