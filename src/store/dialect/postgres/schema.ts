import type pg from 'pg';
import { unusableStore } from '../../unavailable.ts';
import type { Table } from '../../../kernel/store/table.ts';
import type { Opening } from '../../engine.ts';
import { createStatements, firstHead, ownTables, refuseOtherSchema, schemaVersion } from '../../schema.ts';
import { serverTime } from './clock.ts';
import { functions } from './functions.ts';
import { migrate } from './migrate.ts';
import { connectAlone } from './snapshot.ts';
import { spelling } from './spelling.ts';

/** The advisory lock for creating and migrating tables: "SKSH". */
const LOCK = 0x534b5348;
const OLDEST_SERVER = 150_000;

const foundation = [
  `create table sekisho_schema (version bigint not null)`,
  `insert into sekisho_schema (version) values (${schemaVersion})`,
  ...ownTables.flatMap((table) => createStatements(table, spelling)),
  // Every commit updates it. Free room in the page lets the update stay there (HOT).
  `alter table sekisho_head set (fillfactor = 10)`,
  firstHead,
];

interface Asks {
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
}

/** Refuses a server that is too old. Returns its time. */
export async function greetServer(server: Asks, location: string): Promise<number> {
  const { rows } = await server.query(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version, ${serverTime} as ms`,
  );
  if (Number(rows[0]?.['number']) < OLDEST_SERVER) {
    throw unusableStore(location, {
      en: `PostgreSQL ${String(rows[0]?.['version'])} is too old; 15 or newer is needed`,
      ja: `PostgreSQL ${String(rows[0]?.['version'])} は古すぎます。15 以降が必要です`,
    });
  }
  return Number(rows[0]?.['ms']);
}

/**
 * Refuses a pooler in transaction mode: prepared statements and LISTEN belong to a session. Such a pooler gives two clients the
 * same session, or moves one to another session while the other is in a transaction.
 */
export async function refusePooler(pool: pg.Pool, location: string): Promise<void> {
  const session = async (client: Asks): Promise<unknown> =>
    (await client.query('select pg_backend_pid() as pid')).rows[0]?.['pid'];
  const [one, two] = await Promise.all([pool.connect(), pool.connect()]);
  let isPooled = false;
  try {
    const first = await session(one);
    await two.query('begin');
    isPooled = first === (await session(two)) || first !== (await session(one));
    await two.query('rollback');
  } finally {
    one.release(isPooled);
    two.release(isPooled);
  }
  if (isPooled)
    throw unusableStore(location, {
      en: 'a connection pooler in transaction mode (such as PgBouncer) is in front of it; use the address of PostgreSQL itself, or of a pool in session mode',
      ja: 'トランザクションモードの接続プーラー (PgBouncer など) を経由しています。PostgreSQL 自体のアドレスか、セッションモードのプールを指定してください',
    });
}

/** Creates or migrates tables, on a connection of its own: it can take longer than the pool's time limit. */
export async function makeTables(pool: pg.Pool, url: string, location: string, opening?: Opening): Promise<void> {
  const found = await inspect(pool);
  refuseOtherSchema(found.version, location, opening !== undefined);
  if (opening === undefined) return;
  const { tables } = opening;
  if (found.version === schemaVersion && missing(found, tables).length === 0) return;
  const client = await connectAlone(url);
  try {
    await client.query('begin isolation level read committed');
    // Held until the end of the transaction: processes that start together queue here and then find the work done.
    await client.query(`select pg_advisory_xact_lock(${LOCK})`);
    const now = await inspect(client);
    refuseOtherSchema(now.version, location, true);
    if (now.version !== 0 && now.version < schemaVersion)
      await migrate(client, url, location, tables, now.version, opening);
    else for (const sql of [...(now.version === 0 ? foundation : []), ...missing(now, tables)]) await client.query(sql);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** Finds the schema version, 0 if the store does not exist yet, and the names of tables, and those of functions with `()`. */
async function inspect(server: Asks) {
  const { rows } = await server.query(
    `select tablename as name from pg_tables where schemaname = any (current_schemas(false)) union all
      select proname || '()' from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = any (current_schemas(false))`,
  );
  const names = new Set(rows.map((row) => String(row['name'])));
  if (!names.has('sekisho_schema')) return { version: 0, names };
  const versions = await server.query('select version from sekisho_schema');
  return { version: Number(versions.rows[0]?.['version']), names };
}

/** The statements that create missing tables and functions. */
function missing({ names }: { readonly names: ReadonlySet<string> }, tables: readonly Table[]): readonly string[] {
  const isMissing = (name: string): boolean => !names.has(name);
  return [
    ...tables.filter(({ name }) => isMissing(name)).flatMap((table) => createStatements(table, spelling)),
    ...Object.entries(functions).flatMap(([name, made]) => (isMissing(`${name}()`) ? [made] : [])),
  ];
}
