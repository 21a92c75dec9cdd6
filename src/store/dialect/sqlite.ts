import { resolve } from 'node:path';
import type { Dialect } from '../engine.ts';
import { isSqliteFile } from '../location.ts';
import { openEngine } from './sqlite/engine.ts';

export const sqlite: Dialect = {
  id: 'sqlite',
  serves: isSqliteFile,
  open(location, { tables, backUp }) {
    const file = resolve(location);
    return openEngine(file, {
      tables,
      migrate: async () => (await import('./sqlite/migrate.ts')).migrate(file, tables, backUp),
    });
  },
  snapshot: async (location, tables) => (await import('./sqlite/snapshot.ts')).openSnapshot(resolve(location), tables),
  replace: async (location, tables, replacement) =>
    (await import('./sqlite/replace.ts')).replaceRows(resolve(location), tables, replacement),
};
