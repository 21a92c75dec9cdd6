import pg from 'pg';
import type { Migration } from '../../engine.ts';
import { codeOf } from './failure.ts';
import { MISSED } from './statements.ts';
import { problem } from '../../../kernel/problem.ts';

/** "SKSH" */
const LOCK = 0x534b5348;
const UNDEFINED_TABLE = '42P01';
const OLDEST = 150_000;

const foundation = [
  `create table sekisho_schema (version bigint not null)`,
  `insert into sekisho_schema (version) values (0)`,
  `create table journal (
    seq bigint primary key,
    at text not null,
    actor text not null,
    subject text not null,
    kind text not null,
    data text not null
  )`,
  `create index journal_by_subject on journal (subject, seq)`,
  // Updated by every commit: room in the page lets each update stay there.
  `create table sekisho_head (seq bigint not null) with (fillfactor = 10)`,
  `insert into sekisho_head (seq) values (0)`,
  `create function sekisho_expect(expected bigint, touched bigint) returns void language plpgsql as $$
  begin
    if touched <> expected then
      raise exception 'touched % rows instead of %', touched, expected using errcode = '${MISSED}';
    end if;
  end $$`,
];

interface Asks {
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
}

export async function refuseOldServer(server: Asks, location: string): Promise<void> {
  const { rows } = await server.query(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  if (Number(rows[0]?.['number']) < OLDEST) {
    throw problem.STORE_UNAVAILABLE({
      location,
      reason: `PostgreSQL ${String(rows[0]?.['version'])} is too old; 15 or newer is needed`,
    });
  }
}

/** On a connection of its own, because a migration may take longer than any call may. */
export async function migrate(
  pool: pg.Pool,
  url: string,
  location: string,
  migrations: readonly Migration[],
): Promise<void> {
  const newest = migrations.at(-1)?.id ?? 0;
  const version = await versionOf(pool);
  if (version !== undefined && version >= newest) return refuseNewerSchema(version, newest, location);
  const client = new pg.Client({ connectionString: url });
  // A lost connection also rejects the query that was under way; that is the one to report.
  client.on('error', () => {});
  await client.connect();
  try {
    await applyMissing(client, location, migrations, newest);
  } finally {
    await client.end();
  }
}

async function applyMissing(
  client: pg.Client,
  location: string,
  migrations: readonly Migration[],
  newest: number,
): Promise<void> {
  await client.query('begin isolation level read committed');
  // Held until the end of the transaction: processes that start together queue here and then find the work done.
  await client.query(`select pg_advisory_xact_lock(${LOCK})`);
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('sekisho_schema') is not null as known`);
  if (!rows[0]?.known) for (const sql of foundation) await client.query(sql);
  const version = (await versionOf(client)) ?? 0;
  refuseNewerSchema(version, newest, location);
  for (const migration of migrations) {
    if (migration.id > version) for (const sql of migration.statements) await client.query(sql);
  }
  await client.query(`update sekisho_schema set version = ${newest}`);
  await client.query('commit');
}

async function versionOf(server: Asks): Promise<number | undefined> {
  try {
    const { rows } = await server.query('select version from sekisho_schema');
    return Number(rows[0]?.['version']);
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return undefined;
    throw error;
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
