import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { openDatabase } from './binding.ts';
import { createPrivately } from './connect.ts';
import { isBusy } from './failure.ts';

/** The locks that this process holds. The garbage collector would close an unreferenced connection. */
const held: DatabaseSyncInstance[] = [];

/**
 * Locks a file until this process ends. The system releases the lock, also after SIGKILL. Node has no such lock, but SQLite's
 * exclusive lock on an empty database is one. False if another process holds it.
 */
export function holdLock(file: string): boolean {
  createPrivately(file);
  const db = openDatabase(file);
  try {
    db.exec('begin exclusive');
  } catch (error) {
    db.close();
    if (isBusy(error)) return false;
    throw error;
  }
  held.push(db);
  return true;
}
