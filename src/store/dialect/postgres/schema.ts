import pg from 'pg';
import { problem } from '../../../kernel/problem.ts';
import type { Table } from '../../../kernel/table.ts';
import { creation, firstHead, ownTables, refuseOtherSchema, schemaVersion } from '../../schema.ts';
import { serverTime } from './clock.ts';
import { functions } from './functions.ts';

/** "SKSH" */
const LOCK = 0x534b5348;
const OLDEST = 150_000;

const spelling = { bigint: 'bigint', text: 'text collate "C"', after: '' };

const foundation = [
  `create table sekisho_schema (version bigint not null)`,
  `insert into sekisho_schema (version) values (${schemaVersion})`,
  ...ownTables.flatMap((table) => creation(table, spelling)),
  // Updated by every commit: room in the page lets each update stay there.
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
  if (Number(rows[0]?.['number']) < OLDEST) {
    throw problem.STORE_UNAVAILABLE({
      location,
      reason: {
        en: `PostgreSQL ${String(rows[0]?.['version'])} is too old; 15 or newer is needed`,
        ja: `PostgreSQL ${String(rows[0]?.['version'])} は古すぎます。15 以降が必要です`,
      },
    });
  }
  return Number(rows[0]?.['ms']);
}

/** On a connection of its own, because making tables may take longer than any call may. */
export async function makeTables(
  pool: pg.Pool,
  url: string,
  location: string,
  tables: readonly Table[] | undefined,
): Promise<void> {
  const found = await look(pool);
  refuseOtherSchema(found.version, location, tables !== undefined);
  if (tables === undefined || (found.version !== 0 && missing(found, tables).length === 0)) return;
  const client = new pg.Client({ connectionString: url });
  // A lost connection also rejects the query that was under way; that is the one to report.
  client.on('error', () => {});
  await client.connect();
  try {
    await makeMissing(client, location, tables);
  } finally {
    await client.end();
  }
}

async function makeMissing(client: pg.Client, location: string, tables: readonly Table[]): Promise<void> {
  await client.query('begin isolation level read committed');
  // Held until the end of the transaction: processes that start together queue here and then find the work done.
  await client.query(`select pg_advisory_xact_lock(${LOCK})`);
  const found = await look(client);
  refuseOtherSchema(found.version, location, true);
  const statements = [...(found.version === 0 ? foundation : []), ...missing(found, tables)];
  for (const sql of statements) await client.query(sql);
  await client.query('commit');
}

interface Found {
  /** 0: nothing of ours is there. */
  readonly version: number;
  /** Of tables, and of functions with `()`. */
  readonly names: ReadonlySet<string>;
}

async function look(server: Asks): Promise<Found> {
  const { rows } = await server.query(
    `select tablename as name from pg_tables where schemaname = any (current_schemas(false)) union all
      select proname || '()' from pg_proc join pg_namespace on pg_namespace.oid = pronamespace where nspname = any (current_schemas(false))`,
  );
  const names = new Set(rows.map((row) => String(row['name'])));
  if (!names.has('sekisho_schema')) return { version: 0, names };
  const versions = await server.query('select version from sekisho_schema');
  return { version: Number(versions.rows[0]?.['version']), names };
}

/** The statements that make what is not there. */
function missing({ names }: Found, tables: readonly Table[]): readonly string[] {
  const isMissing = (name: string): boolean => !names.has(name);
  return [
    ...tables.filter(({ name }) => isMissing(name)).flatMap((table) => creation(table, spelling)),
    ...Object.entries(functions).flatMap(([name, made]) => (isMissing(`${name}()`) ? [made] : [])),
  ];
}
