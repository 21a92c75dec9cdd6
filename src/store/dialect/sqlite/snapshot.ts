import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Row, Value } from '../../../kernel/store.ts';
import type { Table } from '../../../kernel/table.ts';
import type { Snapshot, StoredRow, StoredTable } from '../../engine.ts';
import { unavailable } from '../../unavailable.ts';
import { loadBinding } from './binding.ts';
import { whenFree } from './busy.ts';
import { stateOf } from './schema.ts';

/** About so much text is in memory at once. */
const batchBytes = 1024 * 1024;

/** A read transaction of the write-ahead log: it sees the database as of now for as long as it is open. */
export async function openSnapshot(file: string, tables: readonly Table[]): Promise<Snapshot> {
  let db: DatabaseSyncInstance | undefined;
  try {
    const { DatabaseSync } = loadBinding();
    const opened = await whenFree(file, () => new DatabaseSync(file, { timeout: 0 }));
    db = opened;
    return await whenFree(file, () => {
      if (!opened.isTransaction) opened.exec('pragma query_only = on; begin');
      return snapshotOf(opened, file, tables);
    });
  } catch (error) {
    db?.close();
    throw unavailable(file, error);
  }
}

/** What a connection sees within its transaction. */
export function snapshotOf(db: DatabaseSyncInstance, file: string, tables: readonly Table[]): Snapshot {
  const head = db.prepare('select seq, link from sekisho_head').get();
  return {
    location: file,
    schema: stateOf(db).version,
    head: { seq: Number(head.seq), link: String(head.link) },
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
  let batch: StoredRow[] = [];
  let bytes = 0;
  const found = db.prepare(`select ${names.join(', ')} from ${name} order by ${key.join(', ')}`).iterate();
  for (const row of found as Iterable<Row>) {
    const values = names.map((column): Value => row[column] ?? null);
    batch.push(values);
    for (const value of values) bytes += typeof value === 'string' ? value.length : 8;
    if (bytes < batchBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
