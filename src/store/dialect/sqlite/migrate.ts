import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Table } from '../../../kernel/store/table.ts';
import { saltEntry } from '../../chain.ts';
import type { Opening } from '../../engine.ts';
import { describeProcess } from '../../presence.ts';
import { migrationEntry, nextEpoch, refuseInUse, upgradeTable } from '../../migration.ts';
import { journal, ownTables, schemaVersion } from '../../schema.ts';
import { unavailableProblem } from '../../unavailable.ts';
import { readUnprepared } from './ask.ts';
import { openDatabase } from './binding.ts';
import { lockedProblem, MIGRATION_DEADLINE_MS } from './busy.ts';
import { isBusy } from './failure.ts';
import { appendEntries, prepareFixed, readEpoch } from './journal.ts';
import { findTable, spelling, stateOf } from './schema.ts';
import { snapshotOf } from './snapshot.ts';

/** The time for which the migration waits for other processes before it is refused. */
const WAIT_FOR_OTHERS_MS = 5000;
const LONGEST_PAUSE_MS = 50;

/**
 * Migrates a database to the current schema in one transaction: a process that is killed leaves it as it was. It has exclusive
 * access to the file, so no process with the old schema can be connected.
 */
export async function migrate(file: string, tables: readonly Table[], backUp: Opening['backUp']): Promise<void> {
  const begun = performance.now();
  let usedSince = begun;
  for (;;) {
    const version = readVersion(file);
    if (version === schemaVersion) return;
    if (version === undefined) {
      // The whole file is locked: another process migrates it.
      if (performance.now() - begun > MIGRATION_DEADLINE_MS) throw lockedProblem(file, MIGRATION_DEADLINE_MS);
      usedSince = performance.now();
    } else {
      const db = openAlone(file);
      if (db !== undefined) return upgradeIn(db, file, tables, backUp);
      if (performance.now() - usedSince > WAIT_FOR_OTHERS_MS) throw refuseInUse(file, version, usersOf(file));
    }
    // A random pause, so that processes that start together take turns.
    await new Promise((resume) => setTimeout(resume, Math.random() * LONGEST_PAUSE_MS));
  }
}

/** The schema version; undefined if another process has the file locked. */
function readVersion(file: string): number | undefined {
  return withDatabase(file, (db) => stateOf(db).version);
}

function usersOf(file: string): readonly string[] {
  const found = withDatabase(file, (db) =>
    findTable(db, 'sekisho_process') === undefined
      ? []
      : readUnprepared(db, 'command, pid, machine', `sekisho_process where until > '${new Date().toISOString()}'`),
  );
  return (found ?? []).map(([command, pid, machine]) =>
    describeProcess({ command: String(command), pid: Number(pid), machine: String(machine) }),
  );
}

function withDatabase<T>(file: string, work: (db: DatabaseSyncInstance) => T): T | undefined {
  let db: DatabaseSyncInstance | undefined;
  try {
    db = openDatabase(file);
    return work(db);
  } catch (error) {
    if (isBusy(error)) return undefined;
    throw unavailableProblem(file, error);
  } finally {
    db?.close();
  }
}

/** Opens the only connection to the file; undefined if another one is open. */
function openAlone(file: string): DatabaseSyncInstance | undefined {
  const db = openDatabase(file);
  try {
    // Set before the first read: then SQLite locks the whole file.
    db.exec('pragma locking_mode = exclusive; pragma synchronous = FULL; begin immediate');
    return db;
  } catch (error) {
    db.close();
    if (isBusy(error)) return undefined;
    throw unavailableProblem(file, error);
  }
}

async function upgradeIn(
  db: DatabaseSyncInstance,
  file: string,
  tables: readonly Table[],
  backUp: Opening['backUp'],
): Promise<void> {
  try {
    const { version } = stateOf(db);
    if (version === schemaVersion) return;
    const backup = await backUp(snapshotOf(db, file, [journal, ...tables]));
    for (const table of [...ownTables, ...tables])
      for (const sql of upgradeTable(table, findTable(db, table.name), spelling)) db.exec(sql);
    db.exec(nextEpoch);
    const migrated = saltEntry(migrationEntry(version, backup, new Date().toISOString()));
    appendEntries(prepareFixed(db), [migrated], [], { epoch: readEpoch(db), location: file });
    db.exec(`pragma user_version = ${schemaVersion}; commit`);
  } finally {
    if (db.isTransaction) db.exec('rollback');
    // Prepared statements keep the connection's locks after it is closed. SQLite releases an exclusive lock only outside of
    // write-ahead logging, which the next connection switches on again.
    db.exec('pragma journal_mode = delete; pragma locking_mode = normal; select seq from sekisho_head');
    db.close();
  }
}
