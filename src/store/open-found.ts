import { resolve } from 'node:path';
import type { Store } from '../kernel/store/store.ts';
import { openEngine } from './dialect/sqlite/engine.ts';
import { isPostgresUrl, isSqliteFile, unknownLocation } from './location.ts';
import { storeOver } from './store-over.ts';

/** Opens a store for reads and journal entries only. It creates and migrates nothing. Hooks load no other part of the store. */
export async function openFoundStore(location: string): Promise<Store> {
  if (isSqliteFile(location)) return storeOver(await openEngine(resolve(location)), []);
  if (!isPostgresUrl(location)) throw unknownLocation(location);
  // The driver takes 40 ms to load.
  const postgres = await import('./dialect/postgres/engine.ts');
  return storeOver(await postgres.openEngine(location), []);
}
