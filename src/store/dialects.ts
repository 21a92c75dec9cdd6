import { resolve } from 'node:path';
import { openEngine } from './dialect/sqlite/engine.ts';
import type { Dialect } from './engine.ts';
import { isPostgresUrl, isSqliteFile, unknownLocation } from './location.ts';

const sqlite: Dialect = {
  serves: isSqliteFile,
  open(location, { tables, backUp }) {
    const file = resolve(location);
    return openEngine(file, {
      tables,
      migrate: async () => (await import('./dialect/sqlite/migrate.ts')).migrate(file, tables, backUp),
    });
  },
  snapshot: async (location, tables) =>
    (await import('./dialect/sqlite/snapshot.ts')).openSnapshot(resolve(location), tables),
  replace: async (location, tables, replacement) =>
    (await import('./dialect/sqlite/replace.ts')).replaceRows(resolve(location), tables, replacement),
};

/** The driver takes 40 ms to load, so it is loaded only if it is used. */
const postgres: Dialect = {
  serves: isPostgresUrl,
  open: async (location, opening) => (await import('./dialect/postgres/engine.ts')).openEngine(location, opening),
  snapshot: async (location, tables) => (await import('./dialect/postgres/snapshot.ts')).openSnapshot(location, tables),
  replace: async (location, tables, replacement) =>
    (await import('./dialect/postgres/replace.ts')).replaceRows(location, tables, replacement),
};

/** The dialect of a location, which is the path of a SQLite file or a postgres:// URL. */
export function dialectOf(location: string): Dialect {
  const dialect = [postgres, sqlite].find((candidate) => candidate.serves(location));
  if (dialect === undefined) throw unknownLocation(location);
  return dialect;
}
