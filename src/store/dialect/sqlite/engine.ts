import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { CommitOutcome, Query, Recorded, Row } from '../../../kernel/store/store.ts';
import type { Table } from '../../../kernel/store/table.ts';
import { saltEntry, type SaltedEntry } from '../../chain.ts';
import type { Engine } from '../../engine.ts';
import { afterSql, headQuery } from '../../schema.ts';
import { type Change, createTargets } from '../../write-target.ts';
import { unavailableProblem } from '../../unavailable.ts';
import { isProblem, problem } from '../../../kernel/problem.ts';
import { retryWhileLocked } from './busy.ts';
import { connect } from './connect.ts';
import { isDuplicate } from './failure.ts';
import { type Files, filesOf } from './files.ts';
import { appendEntries, type FixedStatements, prepareFixed, readEpoch } from './journal.ts';
import { isOlder, makeTables } from './schema.ts';
import { createStatements, type ReadyWrite, type Statements } from './statements.ts';
import { watchCommits } from './watch.ts';

/** The options of a process that creates tables. */
interface Making {
  readonly tables: readonly Table[];
  migrate(): Promise<void>;
}

/** Connections that must not be closed. The garbage collector would close them, so they stay referenced here. */
const abandoned: DatabaseSyncInstance[] = [];

/** Opens the database. Without `making` nothing is created or migrated. */
export async function openEngine(file: string, making?: Making): Promise<Engine> {
  let db = await connect(file, making !== undefined);
  try {
    if (making !== undefined) {
      if (isOlder(db)) {
        db.close();
        await making.migrate();
        db = await connect(file, true);
      }
      await retryWhileLocked(file, () => makeTables(db, making.tables));
    }
  } catch (error) {
    if (db.isOpen) db.close();
    throw unavailableProblem(file, error);
  }
  const epoch = await retryWhileLocked(file, () => readEpoch(db));
  const statements = createStatements(db, createTargets(making?.tables ?? []));
  let prepared: FixedStatements | undefined;
  const fixed = () => (prepared ??= prepareFixed(db));
  const files = filesOf(file);
  const hints = new Set<() => void>();

  async function attempt<T>(work: () => T): Promise<T> {
    try {
      return await retryWhileLocked(file, () => {
        // A connection whose files were replaced reads an old state, and its writes overwrite others' in the log.
        files.check();
        return work();
      });
    } catch (error) {
      if (problem.STORE_REMOVED.is(error)) files.rescue(db);
      // The error can come from reading a new file of the same name together with the old one.
      else if (isProblem(error)) files.check();
      throw error;
    }
  }

  return {
    location: file,
    read: (queries) => attempt(() => readSnapshot(db, statements, fixed, queries)),
    async commit(writes, journal) {
      let batch: Batch | undefined;
      const outcome = await attempt(() => {
        batch ??= { writes: writes.map((one) => statements.ready(one)), journal: journal.map(saltEntry) };
        return commitBatch(db, fixed(), files, batch, { epoch, location: file });
      });
      // The connection's own commits do not change its data_version, so they are hinted here.
      // Deferred, so that the caller gets its answer before the followers read.
      if (outcome.done && hints.size > 0) setImmediate(() => hints.forEach((hint) => hint()));
      return outcome;
    },
    writePresence: (query) => attempt(() => statements.run(query)),
    after: (seq, limit) =>
      attempt(() => statements.all({ sql: afterSql, args: { seq, limit } }) as unknown as Recorded[]),
    head: () => attempt(() => Number(statements.all(headQuery)[0]?.['seq'])),
    now: () => new Date(),
    watch(hint) {
      hints.add(hint);
      const stop = watchCommits(db, file, hint);
      return () => {
        hints.delete(hint);
        stop();
      };
    },
    async close() {
      if (files.canClose()) db.close();
      else abandoned.push(db);
    },
  };
}

function readSnapshot(
  db: DatabaseSyncInstance,
  statements: Statements,
  fixed: () => FixedStatements,
  queries: readonly Query[],
): readonly (readonly Row[])[] {
  const [only] = queries;
  if (only === undefined) return [];
  if (queries.length === 1) return [statements.all(only)];
  return inTransaction(db, () => {
    fixed().begin.run();
    const results = queries.map((query) => statements.all(query));
    fixed().commit.run();
    return results;
  });
}

/** The parts of a commit that are prepared before the lock is taken, so that others do not wait for them. */
interface Batch {
  readonly writes: readonly ReadyWrite[];
  readonly journal: readonly SaltedEntry[];
}

function commitBatch(
  db: DatabaseSyncInstance,
  fixed: FixedStatements,
  files: Files,
  { writes, journal }: Batch,
  from: { readonly epoch: number; readonly location: string },
): CommitOutcome {
  return inTransaction(db, () => {
    fixed.beginWriting.run();
    const changes: Change[] = [];
    const note = (change: Change): void => void changes.push(change);
    const conflict = writes.findIndex((write) => !succeeds(write, note));
    if (conflict >= 0) return { done: false, conflict };
    const seq = appendEntries(fixed, journal, changes, from);
    // Checked before, so that a refused commit is not written; and after, so that an acknowledged one is in the file that
    // others see.
    files.check();
    fixed.commit.run();
    files.check();
    return { done: true, seq };
  });
}

function succeeds(write: ReadyWrite, note: (change: Change) => void): boolean {
  try {
    const touched = write.run(note);
    return write.rows === undefined || touched === write.rows;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Runs work in a transaction and rolls back if it has not committed. */
function inTransaction<T>(db: DatabaseSyncInstance, work: () => T): T {
  try {
    return work();
  } finally {
    if (db.isTransaction) db.exec('rollback');
  }
}
