import { statSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { problem } from '../../../kernel/problem.ts';

/** The log and what the processes share belong to the database: whoever removes one of them parts us from the others. */
const ends = ['', '-wal', '-shm'] as const;

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

/** The files that a connection has open, by what they are rather than by their names. */
export interface Files {
  /** Throws where a name leads to another file by now: a commit would be lost when the last process closes the old one. */
  check(): void;
  /** After `check` has thrown: brings what lies only in a removed log into the database file. */
  rescue(db: DatabaseSyncInstance): void;
}

export function identityOf(path: string): Identity | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

export function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

export function removed(location: string, path: string) {
  return problem.STORE_REMOVED({ location, what: path, open: true });
}

/** Of a connection that has read already: before that SQLite has no log. */
export function filesOf(file: string): Files {
  const open = ends.map((end) => ({ path: file + end, identity: identityOf(file + end) }));
  return {
    check() {
      for (const { path, identity } of open) if (!isSame(identityOf(path), identity)) throw removed(file, path);
    },
    rescue(db) {
      const [main, ...beside] = open;
      if (!isSame(identityOf(file), main?.identity)) return;
      // Where somebody has begun a log of their own, ours would overwrite what they wrote.
      const others = beside.filter(({ path, identity }) => !isSame(identityOf(path), identity));
      if (others.some(({ path }) => (identityOf(path)?.size ?? 0n) > 0n)) return;
      db.exec('pragma wal_checkpoint(full)');
    },
  };
}
