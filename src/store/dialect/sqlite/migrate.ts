import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { Problem } from '../../../kernel/problem.ts';
import type { Migration } from '../../engine.ts';

/** "SKSH": tells our files from those of other programs. */
const APPLICATION_ID = 0x534b5348;

const foundation = [
  `create table journal (
    seq integer primary key autoincrement,
    at text not null,
    actor text not null,
    subject text not null,
    kind text not null,
    data text not null
  )`,
  `create index journal_by_subject on journal (subject, seq)`,
  `pragma application_id = ${APPLICATION_ID}`,
];

interface State {
  readonly version: number;
  readonly application: number;
}

/** Call it again when it is busy. */
export function migrate(db: DatabaseSyncInstance, location: string, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.id ?? 0;
  const seen = stateOf(db);
  if (seen.version === newest && seen.application === APPLICATION_ID) return;
  db.exec('begin immediate');
  try {
    const state = stateOf(db);
    refuseForeign(db, state, location, newest);
    if (state.application === 0) for (const sql of foundation) db.exec(sql);
    for (const migration of migrations) {
      if (migration.id > state.version) for (const sql of migration.statements) db.exec(sql);
    }
    db.exec(`pragma user_version = ${newest}`);
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

function stateOf(db: DatabaseSyncInstance): State {
  return db
    .prepare(
      'select user_version as version, application_id as application from pragma_user_version, pragma_application_id',
    )
    .get() as State;
}

function refuseForeign(db: DatabaseSyncInstance, state: State, location: string, newest: number): void {
  const empty =
    state.version === 0 && state.application === 0 && db.prepare('select 1 from sqlite_schema').get() === undefined;
  if (state.application !== APPLICATION_ID && !empty) {
    throw new Problem('STORE_UNAVAILABLE', {
      location,
      reason: 'it is the database of another program; choose another file',
    });
  }
  if (state.version > newest) {
    throw new Problem('STORE_UNAVAILABLE', {
      location,
      reason: `a newer Sekisho has written it (schema ${state.version}, this one knows ${newest}); update Sekisho`,
    });
  }
}
