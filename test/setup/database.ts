import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database, or a copy of the template. */
export function freshDatabase(admin: string = inject('postgresUrl'), template?: string): Promise<FreshDatabase> {
  return createDatabase(admin, `sekisho_${randomUUID().replaceAll('-', '')}`, template);
}

/** `template` may be followed by further options. */
export async function createDatabase(admin: string, name: string, template = 'template1'): Promise<FreshDatabase> {
  // Without fsync a copy of the files takes 30 ms; through the log it takes 170.
  await run(admin, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(admin, `drop database ${name} with (force)`) };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
