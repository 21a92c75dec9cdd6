import type pg from 'pg';
import type { Table } from '../../../kernel/store/table.ts';
import { saltEntry } from '../../chain.ts';
import type { Replacement, StoredRow, StoredTable } from '../../engine.ts';
import { headQuery } from '../../schema.ts';
import { createTargets } from '../../write-target.ts';
import { diskProblem, unavailableProblem } from '../../unavailable.ts';
import { isLost, isTransient, withoutSecrets } from './failure.ts';
import { connectAlone } from './snapshot.ts';
import { createStatements, lineOf, type Statement } from './statements.ts';

/** Replaces all rows in one transaction. The server rolls it back if the connection is lost. */
export async function replaceRows(url: string, tables: readonly Table[], replacement: Replacement): Promise<boolean> {
  const client = await connectAlone(url);
  const run = ({ text, values }: Statement) => client.query({ text, values: [...values] });
  try {
    // A machine that crashes must not keep the tables locked.
    await client.query(`begin isolation level read committed; set local idle_in_transaction_session_timeout = 60000`);
    // Every commit waits for this row.
    const { rows: heads } = await client.query<{ seq: number; link: string }>(`${headQuery.sql} for update`);
    const { seq, link } = replacement.replaces;
    if (heads[0]?.seq !== seq || heads[0].link !== link) return false;
    const references = await referencesOf(client, tables);
    // Rows come table by table, and can refer to a later table.
    for (const one of references) await client.query(`alter table ${one} deferrable initially deferred`);
    for (const { name } of tables) await client.query(`delete from ${name}`);
    for await (const { table, rows } of replacement.rows) await insertRows(client, table, rows);
    await client.query('set constraints all immediate');
    for (const one of references) await client.query(`alter table ${one} not deferrable`);
    const { head, epoch } = replacement;
    await client.query('update sekisho_head set seq = $1, link = $2, epoch = $3', [head.seq, head.link, epoch]);
    const statements = createStatements(createTargets(tables));
    for (const write of replacement.writes) await run(statements.writing(write));
    await run(statements.recording(replacement.journal.map(saltEntry).map(lineOf), 'restore', epoch));
    await client.query('commit');
    return true;
  } catch (error) {
    // Another process committed at the same time.
    if (isTransient(error)) return false;
    const location = withoutSecrets(url);
    throw isLost(error) ? unavailableProblem(location, error) : (diskProblem(location, error) ?? error);
  } finally {
    await client.end();
  }
}

/** The foreign keys of these tables, each as `table alter constraint name`. */
async function referencesOf(client: pg.Client, tables: readonly Table[]): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select conrelid::regclass || ' alter constraint ' || quote_ident(conname) as name from pg_constraint
      where contype = 'f' and conrelid in (select to_regclass(name) from unnest($1::text[]) as name)`,
    [tables.map(({ name }) => name)],
  );
  return rows.map(({ name }) => name);
}

async function insertRows(
  client: pg.Client,
  { name, columns }: StoredTable,
  rows: readonly StoredRow[],
): Promise<void> {
  const names = columns.map(([column]) => column).join(', ');
  const lists = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  await client.query(
    `insert into ${name} (${names}) select * from unnest(${lists})`,
    columns.map((_column, index) => rows.map((row) => row[index])),
  );
}
