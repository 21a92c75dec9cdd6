import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Query, Row, Write } from '../../../kernel/store/store.ts';
import { splitAtPlaceholders, valuesOf } from '../../placeholders.ts';
import { type Change, changeOf, type WriteTarget, type TargetOf } from '../../write-target.ts';

const MOST_CACHED = 500;

interface Prepared {
  readonly statement: StatementSyncInstance;
  /** One name per occurrence: binding by position takes half as long as by name. */
  readonly names: readonly string[];
  readonly distinct: number;
}

/** A prepared write, ready to run once the lock is taken. */
export interface ReadyWrite {
  readonly rows: number | undefined;
  /** Runs the write and returns the number of rows. It passes the journal's record of each row to `note`. */
  run(note: (change: Change) => void): number;
}

export type Statements = ReturnType<typeof createStatements>;

/** A cache of prepared statements. The driver frees them only between turns of the event loop, so new ones would pile up. */
export function createStatements(db: DatabaseSyncInstance, targetOf: TargetOf) {
  const plain = new Map<string, Prepared>();
  const returning = new Map<string, Prepared>();

  function bind(cache: Map<string, Prepared>, query: Query, end = '') {
    const { statement, names, distinct } = cached(cache, query.sql, () => {
      const { texts, names: found } = splitAtPlaceholders(query.sql);
      return { statement: db.prepare(texts.join('?') + end), names: found, distinct: new Set(found).size };
    });
    return { statement, values: valuesOf(query, names, distinct) };
  }

  return {
    all(query: Query): readonly Row[] {
      const { statement, values } = bind(plain, query);
      return statement.all(...values) as Row[];
    },
    run(query: Query): void {
      const { statement, values } = bind(plain, query);
      statement.run(...values);
    },
    ready(write: Write): ReadyWrite {
      const { rows } = write;
      const target = targetOf(write);
      if (target.counted.length === 0) {
        const { statement, values } = bind(plain, write);
        return { rows, run: () => statement.run(...values).changes };
      }
      // On a line of its own, since a write can end in a comment.
      const { statement, values } = bind(returning, write, `\n returning ${columnsOf(target)}`);
      return {
        rows,
        run(note) {
          const touched = statement.all(...values) as Row[];
          for (const row of touched) note(changeOf(target, row));
          return touched.length;
        },
      };
    },
  };
}

function cached(cache: Map<string, Prepared>, sql: string, make: () => Prepared): Prepared {
  const known = cache.get(sql);
  if (known !== undefined) return known;
  const made = make();
  const oldest = cache.size < MOST_CACHED ? undefined : cache.keys().next().value;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(sql, made);
  return made;
}

/** The columns to return. For a removed row that is the key alone. */
function columnsOf({ table, counted, removes }: WriteTarget): string {
  const names = removes ? table.key : counted.map(({ name }) => name);
  return names.map((name) => `${table.name}.${name} as ${name}`).join(', ');
}
