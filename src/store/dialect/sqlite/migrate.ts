import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Migration } from '../../engine.ts';
import { problem } from '../../../kernel/problem.ts';

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
  const { version } = stateOf(db);
  refuseNewerSchema(version, newest, location);
  if (version === newest) return;
  db.exec('begin immediate');
  try {
    const state = stateOf(db);
    refuseNewerSchema(state.version, newest, location);
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

/** Before anything is changed, so that the file of another program stays as it was. */
export function refuseForeign(db: DatabaseSyncInstance, location: string): void {
  const { version, application } = stateOf(db);
  if (application === APPLICATION_ID) return;
  if (application !== 0 || version !== 0 || db.prepare('select 1 from sqlite_schema').get() !== undefined) {
    throw problem.STORE_UNAVAILABLE({
      location,
      reason: 'it is the database of another program; choose another file',
    });
  }
}

function refuseNewerSchema(version: number, newest: number, location: string): void {
  if (version > newest) {
    throw problem.STORE_UNAVAILABLE({
      location,
      reason: `a newer Sekisho has written it (schema ${version}, this one knows ${newest}); update Sekisho`,
    });
  }
}
