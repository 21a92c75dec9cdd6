import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '../kernel/problem.ts';

/**
 * The database files that a project has had, one a line. A file that is named here and not there was removed: to begin
 * with an empty one would end the run without a word, for hooks too. (A server's database needs no such note: it does not
 * come into being by being opened.)
 */
function notesOf(state: string): string {
  return join(state, 'databases');
}

function noted(state: string): readonly string[] {
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

/** Not there, or emptied: nothing in it can be believed. A file that we may not even look at throws. */
export function isDatabaseMissing(db: string): boolean {
  return (statSync(db, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

export function wasDatabaseMade(state: string, db: string): boolean {
  return noted(state).includes(db);
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

/** A person agrees to begin with an empty one. */
export function forgetDatabase(state: string, db: string): void {
  const others = noted(state).filter((one) => one !== db);
  writeFileSync(notesOf(state), others.join('\n'), { mode: 0o600 });
}
