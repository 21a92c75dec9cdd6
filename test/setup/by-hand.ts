import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';

const touched = new Set<string>();

export const wasTouched = (location: string): boolean => touched.has(location);

/** What somebody with a database client can do behind the product's back. */
export async function byHand(location: string, ...statements: readonly string[]): Promise<void> {
  touched.add(location);
  if (!location.startsWith('postgres')) {
    const database = new DatabaseSync(location);
    database.exec('pragma busy_timeout = 5000; pragma foreign_keys = off');
    for (const statement of statements) database.exec(statement);
    database.close();
    return;
  }
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  await client.query('set session_replication_role = replica');
  for (const statement of statements) await client.query(statement);
  await client.end();
}
