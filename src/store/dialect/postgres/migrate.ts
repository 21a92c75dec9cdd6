import type pg from 'pg';
import type { Table } from '../../../kernel/store/table.ts';
import { saltEntry } from '../../chain.ts';
import type { Opening } from '../../engine.ts';
import { type ConnectedProcess, describeProcess } from '../../presence.ts';
import { type FoundTable, migrationEntry, nextEpoch, refuseInUse, upgradeTable } from '../../migration.ts';
import { journal, ownTables, schemaVersion } from '../../schema.ts';
import { serverTime } from './clock.ts';
import { everyFunction, functions } from './functions.ts';
import { openSnapshot } from './snapshot.ts';
import { spelling } from './spelling.ts';
import { createStatements, lineOf } from './statements.ts';

/** The advisory lock that followers of a version 13 journal share. That version has no list of processes. */
const LISTENERS_OF_13 = 1397443924;

/**
 * Migrates a database to the current schema within the transaction of `client`: a process that is killed leaves it as it was.
 * Commits of others wait. Afterwards those of a process with the old schema fail, because their function is gone.
 */
export async function migrate(
  client: pg.Client,
  url: string,
  location: string,
  tables: readonly Table[],
  version: number,
  opening: Opening,
): Promise<void> {
  const all = [...ownTables, ...tables];
  await refuseOthers(client, location, version);
  await client.query('lock table sekisho_head in exclusive mode');
  const backup = await backUpNow(url, tables, opening);
  await client.query(`drop function if exists ${everyFunction.join(', ')}`);
  for (const table of all)
    for (const sql of upgradeTable(table, await findTable(client, table.name), spelling)) await client.query(sql);
  for (const sql of Object.values(functions)) await client.query(sql);
  const { rows } = await client.query<{ epoch: number }>(`${nextEpoch} returning epoch`);
  const lines = [saltEntry(migrationEntry(version, backup, new Date().toISOString()))].map(lineOf);
  const { text, values } = createStatements(() => {
    throw new TypeError('a migration writes nothing but its entry');
  }).recording(lines, null, Number(rows[0]?.epoch));
  await client.query(text, [...values]);
  await client.query('update sekisho_schema set version = $1', [schemaVersion]);
}

async function backUpNow(url: string, tables: readonly Table[], { backUp }: Opening): Promise<string> {
  const snapshot = await openSnapshot(url, [journal, ...tables]);
  try {
    return await backUp(snapshot);
  } finally {
    await snapshot.close();
  }
}

async function refuseOthers(client: pg.Client, location: string, version: number): Promise<void> {
  if (version === 13) {
    const { rows } = await client.query(`select pg_try_advisory_xact_lock(${LISTENERS_OF_13}) as free`);
    if (rows[0]?.['free'] !== 1) throw refuseInUse(location, version, []);
  }
  if ((await findTable(client, 'sekisho_process')) === undefined) return;
  const { rows } = await client.query<ConnectedProcess>(
    'select command, pid, machine from sekisho_process where until > $1 order by machine, pid',
    [await timeOf(client)],
  );
  if (rows.length > 0) throw refuseInUse(location, version, rows.map(describeProcess));
}

async function timeOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ ms: number }>(`select ${serverTime} as ms`);
  return new Date(Number(rows[0]?.ms)).toISOString();
}

async function findTable(client: pg.Client, table: string): Promise<FoundTable | undefined> {
  const names = async (sql: string): Promise<ReadonlySet<string>> =>
    new Set((await client.query<{ name: string }>(sql, [table])).rows.map(({ name }) => name));
  const columns = await names(
    'select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped',
  );
  if (columns.size === 0) return undefined;
  const indexes = await names(
    'select relname as name from pg_index join pg_class on pg_class.oid = indexrelid where indrelid = to_regclass($1)',
  );
  return { columns, indexes };
}
