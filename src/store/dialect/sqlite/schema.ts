import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { unusableStore } from '../../unavailable.ts';
import type { Table } from '../../../kernel/store/table.ts';
import { readUnprepared } from './ask.ts';
import type { FoundTable } from '../../migration.ts';
import { createStatements, firstHead, ownTables, refuseOtherSchema, schemaVersion } from '../../schema.ts';

/** The id "SKSH", which distinguishes our files from those of other programs. */
const APPLICATION_ID = 0x534b5348;

/** How SQLite spells the parts of a table declaration. `strict` enforces column types, as other databases do. */
export const spelling = { bigint: 'integer', text: 'text', after: ' strict' };

/** Creates missing tables. It throws if the database is busy, and can then be called again. */
export function makeTables(db: DatabaseSyncInstance, tables: readonly Table[]): void {
  if (stateOf(db).version !== 0 && missing(db, tables).length === 0) return;
  db.exec('begin immediate');
  try {
    const isNew = stateOf(db).version === 0;
    for (const table of missing(db, isNew ? [...ownTables, ...tables] : tables))
      for (const sql of createStatements(table, spelling)) db.exec(sql);
    if (isNew)
      db.exec(`${firstHead}; pragma application_id = ${APPLICATION_ID}; pragma user_version = ${schemaVersion}`);
    db.exec('commit');
  } catch (error) {
    if (db.isTransaction) db.exec('rollback');
    throw error;
  }
}

function missing(db: DatabaseSyncInstance, tables: readonly Table[]): readonly Table[] {
  const rows = db.prepare(`select name from sqlite_schema where type = 'table'`).all() as { name: string }[];
  const there = new Set(rows.map(({ name }) => name));
  return tables.filter(({ name }) => !there.has(name));
}

export function stateOf(db: DatabaseSyncInstance) {
  const [row = []] = readUnprepared(db, 'user_version, application_id', 'pragma_user_version, pragma_application_id');
  return { version: Number(row[0]), application: Number(row[1]) };
}

/** Whether the schema must be migrated. */
export function isOlder(db: DatabaseSyncInstance): boolean {
  const { version } = stateOf(db);
  return version !== 0 && version < schemaVersion;
}

export function findTable(db: DatabaseSyncInstance, name: string): FoundTable | undefined {
  const names = (from: string): ReadonlySet<string> =>
    new Set(readUnprepared(db, 'name', from).map(([one]) => String(one)));
  const columns = names(`pragma_table_info('${name}')`);
  return columns.size === 0 ? undefined : { columns, indexes: names(`pragma_index_list('${name}')`) };
}

/** Refuses the file of another program, or of a schema that cannot be used. Called before anything is changed. */
export function refuseForeign(db: DatabaseSyncInstance, location: string, makes: boolean): void {
  const { version, application } = stateOf(db);
  const isForeign =
    application !== APPLICATION_ID &&
    (application !== 0 || version !== 0 || readUnprepared(db, '1', 'sqlite_schema').length > 0);
  if (isForeign)
    throw unusableStore(location, {
      en: 'it is the database of another program; choose another file',
      ja: '別のプログラムのデータベースです。別のファイルを指定してください',
    });
  refuseOtherSchema(version, location, makes);
}
