import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { commitCountOf } from '../../src/store/dialect/sqlite/wal-index.ts';
import { openStore } from '../../src/store/open.ts';
import { tables } from '../contract/box.ts';

const driver = createRequire(import.meta.url).resolve('@photostructure/sqlite');

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-index-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'a.db');
}

function open(file: string): InstanceType<typeof DatabaseSync> {
  const db = new DatabaseSync(file, { timeout: 0 });
  onTestFinished(() => db.close());
  db.exec('pragma journal_mode = wal; create table if not exists item (n integer)');
  return db;
}

const askOf = (db: InstanceType<typeof DatabaseSync>) => {
  const pragma = db.prepare('pragma data_version');
  return () => pragma.get().data_version;
};

/** As another process; what it says where it fails. */
function elsewhere(file: string, sql: string): string {
  const script = `const { DatabaseSync } = require(${JSON.stringify(driver)});
    const db = new DatabaseSync(${JSON.stringify(file)}, { timeout: 0 });
    try { db.exec(${JSON.stringify(sql)}); } catch (error) { process.stdout.write(error.message); }`;
  return spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout;
}

test('each commit counts, of whichever connection and process, and a look counts nothing', () => {
  const file = makeFile();
  const db = open(file);
  const count = commitCountOf(file, askOf(db));
  const seen = [count(), count()];
  db.exec('insert into item values (1)');
  seen.push(count(), count());
  expect(elsewhere(file, 'insert into item values (2)')).toBe('');
  seen.push(count(), count());
  db.prepare('select n from item').all();
  seen.push(count());
  expect(seen).toEqual([1, 1, 2, 2, 3, 3, 3]);
});

test('what is rolled back counts nothing, and what a checkpoint moves takes nothing back', () => {
  const file = makeFile();
  const db = open(file);
  const count = commitCountOf(file, askOf(db));
  const before = Number(count());
  db.exec('begin; insert into item values (1); rollback');
  expect(count()).toBe(before);
  db.exec('insert into item values (1); pragma wal_checkpoint(truncate)');
  const after = Number(count());
  expect(after).toBeGreaterThan(before);
  // The log begins anew, so its header may have the same place for the next one.
  db.exec('insert into item values (1)');
  expect(Number(count())).toBeGreaterThan(after);
});

test('where there is no such file it says that it cannot tell', () => {
  const count = commitCountOf(makeFile(), () => 1);
  expect(count()).toBeUndefined();
});

test('where SQLite sees commits that it does not, it says that it cannot tell from then on', () => {
  const file = makeFile();
  const db = open(file);
  const [askRightly, now] = [askOf(db), { ms: 0 }];
  let ask = askRightly;
  const count = commitCountOf(
    file,
    () => ask(),
    () => now.ms,
  );
  expect(count()).toBe(1);
  elsewhere(file, 'insert into item values (1)');
  now.ms += 2000;
  const seen = count();
  expect(Number(seen)).toBeGreaterThan(1);
  // As on a file system that shows each process only what it wrote itself.
  ask = () => -1;
  expect(count()).toBe(seen);
  now.ms += 2000;
  expect([count(), count()]).toEqual([undefined, undefined]);
  ask = askRightly;
  now.ms += 2000;
  expect(count()).toBeUndefined();
});

test('what only SQLite sees counts, also where something else was seen meanwhile', () => {
  const file = makeFile();
  const db = open(file);
  const now = { ms: 0 };
  let answer = 1;
  const count = commitCountOf(
    file,
    () => answer,
    () => now.ms,
  );
  count();
  db.exec('insert into item values (1)');
  const own = count();
  // Another process has committed, and its commit does not show here.
  answer = 2;
  expect(count()).toBe(own);
  now.ms += 2000;
  const told = count();
  expect(told).not.toBe(own);
  now.ms += 2000;
  expect(count()).toBe(told);
});

test('a commit between the question and the look is no commit that was not seen', () => {
  const file = makeFile();
  const db = open(file);
  const [ask, now] = [askOf(db), { ms: 0 }];
  let meanwhile = () => {};
  const count = commitCountOf(
    file,
    () => {
      const answer = ask();
      meanwhile();
      return answer;
    },
    () => now.ms,
  );
  count();
  meanwhile = () => elsewhere(file, 'insert into item values (1)');
  now.ms += 2000;
  const before = Number(count());
  meanwhile = () => {};
  now.ms += 2000;
  expect(Number(count())).toBeGreaterThanOrEqual(before);
  elsewhere(file, 'insert into item values (1)');
  expect(Number(count())).toBeGreaterThan(before);
});

test('where SQLite cannot be asked, it does not say that nothing happened', () => {
  const file = makeFile();
  open(file);
  const count = commitCountOf(file, () => {
    throw new Error('database is locked');
  });
  expect(count()).toBeUndefined();
});

test('whoever looks keeps the locks that this process has, also when its store is closed', async () => {
  const file = makeFile();
  const store = await openStore(file, { tables });
  const db = open(file);
  db.exec('begin immediate; insert into item values (1)');
  expect(store.version()).toBeDefined();
  await store.close();
  expect(elsewhere(file, 'begin immediate')).toContain('locked');
  // What would have happened otherwise.
  closeSync(openSync(`${file}-shm`, 'r'));
  expect(elsewhere(file, 'begin immediate')).toBe('');
  db.exec('rollback');
});
