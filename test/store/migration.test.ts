import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { openStore } from '../../src/store/open.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { tables as userTables } from '../../src/user/tables.ts';
import type { Place } from '../contract/box.ts';
import { migrationContract } from '../contract/migration.ts';
import { byHand } from '../setup/by-hand.ts';
import { freshDatabase } from '../setup/database.ts';

const fixture = (name: string): Buffer =>
  gunzipSync(readFileSync(join(import.meta.dirname, '../fixtures/schema-13', `${name}.gz`)));

async function makeFile(content?: Buffer): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-migration-'));
  const location = join(folder, 'store.db');
  if (content !== undefined) writeFileSync(location, content, { mode: 0o600 });
  return { location, drop: async () => rmSync(folder, { recursive: true }) };
}

async function makeDatabase(script?: string): Promise<Place> {
  const { url, drop } = await freshDatabase();
  if (script !== undefined) await byHand(url, script);
  return { location: url, drop };
}

function makeBackups(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-backups-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

migrationContract('SQLite', {
  old: () => makeFile(fixture('store.db')),
  empty: () => makeFile(),
  setVersion: (version) => `pragma user_version = ${version}`,
  async connectOldServer(location) {
    const server = new DatabaseSync(location);
    server.exec('pragma journal_mode = wal; select seq from sekisho_head');
    return async () => server.close();
  },
});

migrationContract('PostgreSQL', {
  old: () => makeDatabase(fixture('store.sql').toString('utf8')),
  empty: () => makeDatabase(),
  setVersion: (version) => `update sekisho_schema set version = ${version}`,
  async connectOldServer(location) {
    const server = new pg.Client({ connectionString: location });
    await server.connect();
    await server.query('select pg_advisory_lock_shared(1397443924)');
    return () => server.end();
  },
});

describe('a database of schema 13', () => {
  it('of a user is migrated too', async () => {
    const place = await makeFile(fixture('user.db'));
    const store = await openStore(place.location, { tables: userTables });
    expect((await verifyStore(store, userTables)).faults).toEqual([]);
    await store.close();
    await place.drop();
  });

  it('on PostgreSQL takes no commit of an older server any more', async () => {
    const place = await makeDatabase(fixture('store.sql').toString('utf8'));
    const older = new pg.Client({ connectionString: place.location });
    await older.connect();
    await (await openStore(place.location, { tables, backups: makeBackups() })).close();
    const arrays = Array(8).fill(`array['a']`).join(', ');
    await expect(older.query(`select sekisho_record('[]', ${arrays}, null)`)).rejects.toThrow(/does not exist/);
    await older.end();
    await place.drop();
  });

  it('on PostgreSQL is not migrated while a process is known to use it, and that one is named', async () => {
    const place = await makeDatabase();
    await (await openStore(place.location, { tables })).close();
    await byHand(
      place.location,
      'update sekisho_schema set version = 13',
      `insert into sekisho_process values ('x', 13, 'mcp', 4711, 'laptop', '9999')`,
    );
    await expect(openStore(place.location, { tables, backups: makeBackups() })).rejects.toMatchObject({
      params: { reason: { en: expect.stringMatching(/still use it: sekisho mcp \(pid 4711, laptop\); end them/) } },
    });
    await place.drop();
  });
});
