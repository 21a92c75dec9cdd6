import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { refuseOtherSchema } from '../../schema.ts';
import { unavailableProblem, unusableStore } from '../../unavailable.ts';
import { readUnprepared } from './ask.ts';
import { openDatabase } from './binding.ts';
import { MIGRATION_DEADLINE_MS, retryWhileLocked } from './busy.ts';
import { diskProblemOf } from './failure.ts';
import { identityOf, isSame, removedProblem } from './files.ts';
import { refuseForeign } from './schema.ts';

/** Older versions can lose commits when several processes write: https://sqlite.org/wal.html#walresetbug */
const OLDEST_SAFE = [3, 51, 3] as const;

// Drivers differ in their defaults, so every pragma that matters is set.
const pragmas = `
  pragma busy_timeout = 0;
  pragma locking_mode = normal;
  pragma synchronous = full;
  pragma checkpoint_fullfsync = on;
  pragma wal_autocheckpoint = 1000;
  pragma journal_size_limit = 67108864;
  pragma foreign_keys = on;
  pragma recursive_triggers = off;
  pragma trusted_schema = off;
  pragma temp_store = memory;
  pragma mmap_size = 0;
  pragma cache_size = -8000;
`;

/** Connects to a file. Only a caller that creates tables (`makes`) creates the file. */
export async function connect(file: string, makes: boolean): Promise<DatabaseSyncInstance> {
  let db: DatabaseSyncInstance | undefined;
  try {
    if (makes) createPrivately(file);
    else if (!existsSync(file)) refuseOtherSchema(0, file, makes);
    const before = identityOf(file);
    const opened = await retryWhileLocked(file, () => openDatabase(file));
    db = opened;
    const deadline = makes ? MIGRATION_DEADLINE_MS : undefined;
    await retryWhileLocked(
      file,
      () => {
        refuseOldLibrary(opened, file);
        refuseForeign(opened, file, makes);
      },
      deadline,
    );
    await retryWhileLocked(file, () => {
      opened.exec('pragma journal_mode = wal');
      const mode = readUnprepared(opened, 'journal_mode', 'pragma_journal_mode')[0]?.[0];
      if (mode !== 'wal')
        throw new Error(`its file system does not allow write-ahead logging (journal mode is ${mode})`);
      opened.exec(pragmas);
    });
    // If the file was replaced while it was opened, it is unknown which one is open.
    if (!isSame(identityOf(file), before)) throw removedProblem(file, file);
    return opened;
  } catch (error) {
    if (db?.isOpen) db.close();
    throw diskProblemOf(file, error) ?? unavailableProblem(file, error);
  }
}

/** Creates a file that only its owner can read. SQLite gives its -wal and -shm files the same mode. */
export function createPrivately(file: string): void {
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
}

function refuseOldLibrary(db: DatabaseSyncInstance, location: string): void {
  const version = readUnprepared(db, 'sqlite_version()')[0]?.[0];
  const parts = String(version).split('.').map(Number);
  const different = OLDEST_SAFE.findIndex((part, index) => part !== (parts[index] ?? 0));
  if (different >= 0 && (parts[different] ?? 0) < (OLDEST_SAFE[different] ?? 0)) {
    throw unusableStore(location, {
      en: `SQLite ${version} can lose commits when several processes write; ${OLDEST_SAFE.join('.')} or newer is needed`,
      ja: `SQLite ${version} は、複数のプロセスが書き込むとコミットを失うことがあります。${OLDEST_SAFE.join('.')} 以降が必要です`,
    });
  }
}
