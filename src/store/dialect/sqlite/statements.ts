import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Query, Row } from '../../../kernel/store.ts';
import { placeholders, valuesOf } from '../../placeholders.ts';

const MOST_CACHED = 500;

interface Prepared {
  readonly statement: StatementSyncInstance;
  readonly names: readonly string[];
}

export interface Statements {
  all(query: Query): readonly Row[];
  /** The number of rows it touched. */
  run(query: Query): number;
}

/** Prepared once: the driver frees statements only when the event loop turns, so making them anew piles them up. */
export function createStatements(db: DatabaseSyncInstance): Statements {
  const cache = new Map<string, Prepared>();

  function prepare(query: Query): StatementSyncInstance {
    let prepared = cache.get(query.sql);
    if (!prepared) {
      prepared = { statement: db.prepare(query.sql), names: [...new Set(placeholders(query.sql).names)] };
      const oldest = cache.size < MOST_CACHED ? undefined : cache.keys().next().value;
      if (oldest !== undefined) cache.delete(oldest);
      cache.set(query.sql, prepared);
    }
    valuesOf(query, prepared.names, prepared.names.length);
    return prepared.statement;
  }

  return {
    all: (query) => prepare(query).all(query.args) as Row[],
    run: (query) => prepare(query).run(query.args).changes,
  };
}
