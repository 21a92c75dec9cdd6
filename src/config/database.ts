import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '../kernel/problem.ts';

/**
 * The list of the database files of a project, one per line. A listed file that is missing was removed: starting with an empty
 * one would silently end the run, also for hooks. A server's database is not listed, since opening does not create it.
 */
function notesOf(state: string): string {
  return join(state, 'databases');
}

function listNoted(state: string): readonly string[] {
  try {
    return readFileSync(notesOf(state), 'utf8').split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []; // None was made yet.
    throw error;
  }
}

export function isDatabaseFile(db: string): boolean {
  return !db.includes('://');
}

/** Whether a file is missing or empty. Throws if it may not be inspected. */
export function isDatabaseMissing(db: string): boolean {
  return (statSync(db, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

export function wasDatabaseMade(state: string, db: string): boolean {
  return listNoted(state).includes(db);
}

export function isDatabaseLost(state: string, db: string): boolean {
  return isDatabaseFile(db) && wasDatabaseMade(state, db) && isDatabaseMissing(db);
}

export function refuseLostDatabase(state: string, db: string): void {
  if (isDatabaseLost(state, db)) throw problem.STORE_REMOVED({ location: db, what: db, open: false });
}

export function noteDatabase(state: string, db: string): void {
  if (!isDatabaseFile(db) || wasDatabaseMade(state, db)) return;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  appendFileSync(notesOf(state), `${db}\n`, { mode: 0o600 });
}

/** Removes a file from the list: a person has agreed to start with an empty one. */
export function forgetDatabase(state: string, db: string): void {
  const others = listNoted(state).filter((one) => one !== db);
  writeFileSync(notesOf(state), others.join('\n'), { mode: 0o600 });
}
