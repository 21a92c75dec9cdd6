import pg from 'pg';
import type { Value } from '../../../kernel/store/store.ts';
import type { Table } from '../../../kernel/store/table.ts';
import type { Head, Snapshot, StoredRow, StoredTable } from '../../engine.ts';
import { firstBatch, nextBatch } from '../../batch.ts';
import { unavailableProblem } from '../../unavailable.ts';
import { withoutSecrets } from './failure.ts';
import { types } from './types.ts';

export async function openSnapshot(url: string, wanted: readonly Table[]): Promise<Snapshot> {
  const location = withoutSecrets(url);
  const client = await connectAlone(url);
  try {
    await client.query('begin isolation level repeatable read, read only');
    const { rows: versions } = await client.query<{ version: number }>('select version from sekisho_schema');
    const { rows: heads } = await client.query<Partial<Head>>('select * from sekisho_head');
    const tables: StoredTable[] = [];
    for (const { name } of wanted) {
      const found = await tableOf(client, name);
      if (found !== undefined) tables.push(found);
    }
    return {
      location,
      schema: Number(versions[0]?.version),
      // Schema 13 has no epoch yet.
      head: { seq: Number(heads[0]?.seq), link: String(heads[0]?.link), epoch: heads[0]?.epoch ?? 1 },
      tables,
      rows: (table) => rowsOf(client, table),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw unavailableProblem(location, error);
  }
}

/** Opens a connection of its own, for work that takes longer than the pool's time limit. */
export async function connectAlone(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, types, keepAlive: true });
  // A lost connection also rejects the running query, and that error is reported.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw unavailableProblem(withoutSecrets(url), error);
  }
  return client;
}

async function tableOf(client: pg.Client, name: string): Promise<StoredTable | undefined> {
  const { rows } = await client.query<{ name: string; type: string; not_null: number; place: number | null }>(
    `select a.attname as name, a.atttypid::regtype::text as type, a.attnotnull as not_null, array_position(i.indkey::int[], a.attnum::int) as place
      from pg_attribute a left join pg_index i on i.indrelid = a.attrelid and i.indisprimary
      where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [name],
  );
  if (rows.length === 0) return undefined;
  const key = rows.filter((one) => one.place !== null).toSorted((one, two) => Number(one.place) - Number(two.place));
  return {
    name,
    columns: rows.map((one) => [one.name, one.type === 'bigint' ? 'bigint' : 'text', one.not_null === 1]),
    key: key.map((one) => one.name),
  };
}

async function* rowsOf(client: pg.Client, { name, columns, key }: StoredTable): AsyncGenerator<StoredRow[]> {
  const names = columns.map(([column]) => column).join(', ');
  await client.query(`declare backup_rows cursor for select ${names} from ${name} order by ${key.join(', ')}`);
  for (let count = firstBatch; ;) {
    const { rows } = await client.query<Value[]>({ text: `fetch ${count} from backup_rows`, rowMode: 'array' });
    if (rows.length > 0) yield rows;
    if (rows.length < count) break;
    count = nextBatch(rows);
  }
  await client.query('close backup_rows');
}
