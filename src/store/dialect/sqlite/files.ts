import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { problem } from '../../../kernel/problem.ts';

/** The log and what the processes share belong to the database: whoever removes one of them parts us from the others. */
const ends = ['', '-wal', '-shm'] as const;

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

/**
 * Every name that comes, goes or moves changes its folder's time, which nobody can set back. So a folder that has rested for
 * longer than any file system's clock is coarse, and has the time that it had when the files were looked at, has them still.
 */
const RESTED_MS = 3000;
/** For file systems that tell later, and for what is mounted over a name. */
const LOOK_EVERY_MS = 1000;

/** The files that a connection has open, by what they are rather than by their names. */
export interface Files {
  /** Throws where the names lead elsewhere by now: what is written would be lost with the last who has it open. Takes 3 µs. */
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
export function filesOf(file: string, clock = Date.now): Files {
  const open = ends.map((end) => ({ path: file + end, identity: identityOf(file + end) }));
  const folder = dirname(file);
  let rested: { readonly ino: number; readonly dev: number; readonly ctimeMs: number } | undefined;
  let lookedAt = 0;
  return {
    check() {
      const now = clock();
      const found = statSync(folder, { throwIfNoEntry: false });
      const isAsBefore =
        found !== undefined &&
        found.ctimeMs === rested?.ctimeMs &&
        found.ino === rested.ino &&
        found.dev === rested.dev &&
        Math.abs(now - lookedAt) < LOOK_EVERY_MS;
      if (isAsBefore) return;
      for (const { path, identity } of open) if (!isSame(identityOf(path), identity)) throw removed(file, path);
      rested = found !== undefined && now - found.ctimeMs > RESTED_MS ? found : undefined;
      lookedAt = now;
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
