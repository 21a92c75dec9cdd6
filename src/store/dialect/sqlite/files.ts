import { statSync } from 'node:fs';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { problem } from '../../../kernel/problem.ts';

/** The files of a database: itself, its log and its shared memory. A connection needs all of them to see the others. */
const ends = ['', '-wal', '-shm'] as const;

interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

/** The files that a connection has open, identified by inode and not by name. */
export type Files = ReturnType<typeof filesOf>;

export function identityOf(path: string): Identity | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

export function isSame(one: Identity | undefined, other: Identity | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

export function removedProblem(location: string, path: string) {
  return problem.STORE_REMOVED({ location, what: path, open: true });
}

/** The files of a connection that has already read: before that SQLite has no log. */
export function filesOf(file: string) {
  const open = ends.map((end) => ({ path: file + end, identity: identityOf(file + end) }));
  const [main, log] = open;
  const findChanged = () => open.filter(({ path, identity }) => !isSame(identityOf(path), identity));
  /** Whether our log was removed and no other process has started a new one, which ours would overwrite. */
  const isLogOursAlone = (changed: typeof open) =>
    main !== undefined &&
    log !== undefined &&
    !changed.includes(main) &&
    changed.includes(log) &&
    changed.every(({ path }) => (identityOf(path)?.size ?? 0n) === 0n);
  return {
    /**
     * Throws if a name now leads to another file: a commit would be lost when the last process closes the old one, and a read
     * would miss later commits of others, such as a revoked token.
     */
    check() {
      const [changed] = findChanged();
      if (changed !== undefined) throw removedProblem(file, changed.path);
    },
    /** Copies the commits that are only in a removed log into the database file. Called after `check` has thrown. */
    rescue(db: DatabaseSyncInstance) {
      if (isLogOursAlone(findChanged())) db.exec('pragma wal_checkpoint(full)');
    },
    /** Whether SQLite may close the connection: it then deletes the log, with frames of others that it does not know. */
    canClose() {
      const changed = findChanged();
      // If the database file itself was moved, SQLite does not delete the log.
      return changed.length === 0 || changed.some((one) => one === main) || isLogOursAlone(changed);
    },
  };
}
