import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { Table } from '../../../kernel/store/table.ts';
import { saltEntry } from '../../chain.ts';
import type { Replacement, StoredTable } from '../../engine.ts';
import { headQuery } from '../../schema.ts';
import { type Change, createTargets } from '../../write-target.ts';
import { retryWhileLocked } from './busy.ts';
import { connect } from './connect.ts';
import { diskProblemOf } from './failure.ts';
import { appendEntries, prepareFixed } from './journal.ts';
import { createStatements } from './statements.ts';

/** Replaces all rows in one transaction: a process that is killed leaves the database as it was. */
export async function replaceRows(file: string, tables: readonly Table[], replacement: Replacement): Promise<boolean> {
  const db = await connect(file, false);
  try {
    await retryWhileLocked(file, () => db.exec('begin immediate'));
    const { seq, link } = db.prepare(headQuery.sql).get();
    if (seq !== replacement.replaces.seq || link !== replacement.replaces.link) return false;
    // Rows come table by table, and can refer to a later table.
    db.exec('pragma defer_foreign_keys = on');
    for (const { name } of tables) db.exec(`delete from ${name}`);
    for await (const { table, rows } of replacement.rows) {
      const insert = insertInto(db, table);
      for (const row of rows) insert.run(...row);
    }
    const { head, epoch } = replacement;
    db.prepare('update sekisho_head set seq = ?, link = ?, epoch = ?').run(head.seq, head.link, epoch);
    const statements = createStatements(db, createTargets(tables));
    const changes: Change[] = [];
    for (const write of replacement.writes) statements.ready(write).run((change) => changes.push(change));
    appendEntries(prepareFixed(db), replacement.journal.map(saltEntry), changes, { epoch, location: file });
    db.exec('commit');
    // The log is now as large as the store, so it is copied into the file and emptied. With readers SQLite does it later.
    db.prepare('pragma wal_checkpoint(truncate)').get();
    return true;
  } catch (error) {
    throw diskProblemOf(file, error) ?? error;
  } finally {
    if (db.isTransaction) db.exec('rollback');
    db.close();
  }
}

function insertInto(db: DatabaseSyncInstance, { name, columns }: StoredTable): StatementSyncInstance {
  const names = columns.map(([column]) => column);
  return db.prepare(`insert into ${name} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`);
}
