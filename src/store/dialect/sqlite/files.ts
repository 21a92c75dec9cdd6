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
  /**
   * Throws where a name leads to another file by now: a commit would be lost when the last process closes the old one, and a
   * read would miss what others have committed since, such as a revoked token.
   */
  check(): void;
  /** After `check` has thrown: brings what lies only in a removed log into the database file. */
  rescue(db: DatabaseSyncInstance): void;
  /** Whether SQLite may close the connection. It deletes the log when it does, also frames of others that it does not know. */
  canClose(): boolean;
}

export function identityOf(path: string): Identity | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

export function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

export function removedProblem(location: string, path: string) {
  return problem.STORE_REMOVED({ location, what: path, open: true });
}

/** Of a connection that has read already: before that SQLite has no log. */
export function filesOf(file: string): Files {
  const open = ends.map((end) => ({ path: file + end, identity: identityOf(file + end) }));
  const [main, log] = open;
  const findChanged = () => open.filter(({ path, identity }) => !isSame(identityOf(path), identity));
  /** Our log was removed, and no other process has begun one of its own, which ours would overwrite. */
  const isLogOursAlone = (changed: typeof open) =>
    main !== undefined &&
    log !== undefined &&
    !changed.includes(main) &&
    changed.includes(log) &&
    changed.every(({ path }) => (identityOf(path)?.size ?? 0n) === 0n);
  return {
    check() {
      const [changed] = findChanged();
      if (changed !== undefined) throw removedProblem(file, changed.path);
    },
    rescue(db) {
      if (isLogOursAlone(findChanged())) db.exec('pragma wal_checkpoint(full)');
    },
    canClose() {
      const changed = findChanged();
      // Where the database file itself has moved, SQLite leaves the log alone.
      return changed.length === 0 || changed.some((one) => one === main) || isLogOursAlone(changed);
    },
  };
}
