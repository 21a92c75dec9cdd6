import type { Dialect } from '../engine.ts';
import { isPostgresUrl } from '../location.ts';

export const postgres: Dialect = {
  id: 'postgres',
  serves: isPostgresUrl,
  async open(location, opening) {
    // The driver takes 40 ms to load, so it is loaded only if it is used.
    const { openEngine } = await import('./postgres/engine.ts');
    return openEngine(location, opening);
  },
  snapshot: async (location, tables) => (await import('./postgres/snapshot.ts')).openSnapshot(location, tables),
  replace: async (location, tables, replacement) =>
    (await import('./postgres/replace.ts')).replaceRows(location, tables, replacement),
};
