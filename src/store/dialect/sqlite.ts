import { resolve } from 'node:path';
import type { Dialect } from '../engine.ts';
import { openEngine } from './sqlite/engine.ts';

export const sqlite: Dialect = {
  id: 'sqlite',
  // Nothing is kept in memory only, and a URL belongs to another dialect or to none.
  serves: (location) => location !== '' && location !== ':memory:' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(location),
  open: (location, opening) => openEngine(resolve(location), opening),
  snapshot: async (location, tables) => (await import('./sqlite/snapshot.ts')).openSnapshot(resolve(location), tables),
};
