import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Row, Value } from '../../../kernel/store/store.ts';
import type { Table } from '../../../kernel/store/table.ts';
import type { Snapshot, StoredRow, StoredTable } from '../../engine.ts';
import { firstBatch, nextBatch } from '../../batch.ts';
import { unavailableProblem } from '../../unavailable.ts';
import { openDatabase } from './binding.ts';
import { retryWhileLocked } from './busy.ts';
import { stateOf } from './schema.ts';

/** Opens a snapshot: a read transaction on the write-ahead log, which sees the database as of now until it is closed. */
export async function openSnapshot(file: string, tables: readonly Table[]): Promise<Snapshot> {
  let db: DatabaseSyncInstance | undefined;
  try {
    const opened = await retryWhileLocked(file, () => openDatabase(file));
    db = opened;
    const snapshot = await retryWhileLocked(file, () => {
      if (!opened.isTransaction) opened.exec('pragma query_only = on; begin');
      return snapshotOf(opened, file, tables);
    });
    const close = async () => {
      // Prepared statements keep the connection, and with it an open transaction, until the driver frees them.
      opened.exec('rollback');
      opened.close();
    };
    return { ...snapshot, close };
  } catch (error) {
    if (db?.isTransaction === true) db.exec('rollback');
    db?.close();
    throw unavailableProblem(file, error);
  }
}

/** The snapshot that a connection has within its transaction. */
export function snapshotOf(db: DatabaseSyncInstance, file: string, tables: readonly Table[]): Snapshot {
  const head = db.prepare('select * from sekisho_head').get();
  return {
    location: file,
    schema: stateOf(db).version,
    // Schema 13 has no epoch yet.
    head: { seq: Number(head.seq), link: String(head.link), epoch: Number(head.epoch ?? 1) },
    tables: tables.flatMap(({ name }) => tableOf(db, name) ?? []),
    rows: (table) => rowsOf(db, table),
    close: async () => db.close(),
  };
}

function tableOf(db: DatabaseSyncInstance, name: string): StoredTable | undefined {
  const found = db
    .prepare('select name, type, "notnull", pk from pragma_table_info(?) order by cid')
    .all(name) as Row[];
  if (found.length === 0) return undefined;
  const key = found.filter((one) => one['pk'] !== 0).toSorted((one, two) => Number(one['pk']) - Number(two['pk']));
  return {
    name,
    columns: found.map((one) => [
      String(one['name']),
      String(one['type']).toLowerCase() === 'integer' ? 'bigint' : 'text',
      one['notnull'] === 1,
    ]),
    key: key.map((one) => String(one['name'])),
  };
}

async function* rowsOf(db: DatabaseSyncInstance, { name, columns, key }: StoredTable): AsyncGenerator<StoredRow[]> {
  const names = columns.map(([column]) => column);
  const keys = key.join(', ');
  // Page by page, since the driver can free a statement during an iteration.
  const select = (beyond: string) =>
    db.prepare(`select ${names.join(', ')} from ${name} ${beyond} order by ${keys} limit ?`);
  const first = select('');
  const later = select(`where (${keys}) > (${key.map(() => '?').join(', ')})`);
  let last: Row | undefined;
  for (let count = firstBatch; ;) {
    const found = (
      last === undefined ? first.all(count) : later.all(...key.map((one) => last?.[one] ?? null), count)
    ) as Row[];
    const rows = found.map((row) => names.map((column): Value => row[column] ?? null));
    if (rows.length > 0) yield rows;
    if (rows.length < count) return;
    last = found.at(-1);
    count = nextBatch(rows);
  }
}
