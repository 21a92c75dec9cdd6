import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { backupContract } from '../contract/backup.ts';
import type { Place } from '../contract/box.ts';
import { freshDatabase } from '../setup/database.ts';
import { databases } from '../setup/databases.ts';

const folder = mkdtempSync(join(tmpdir(), 'sekisho-backup-'));
let made = 0;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function makeFile(): Promise<Place> {
  const home = join(folder, String((made += 1)));
  return { location: join(home, 'store.db'), drop: async () => rmSync(home, { recursive: true, force: true }) };
}

async function makeDatabase(): Promise<Place> {
  const { url, drop } = await freshDatabase();
  return { location: url, drop };
}

if (databases.includes('postgres')) {
  backupContract('SQLite', makeFile, makeDatabase);
  backupContract('PostgreSQL', makeDatabase, makeFile);
} else {
  backupContract('SQLite', makeFile, makeFile);
}
