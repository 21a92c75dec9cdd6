import { linkSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { Problem } from '../../src/kernel/problem.ts';
import { filesOf } from '../../src/store/dialect/sqlite/files.ts';
import { openStore } from '../../src/store/open.ts';
import { entry, type Place, put, tables } from '../contract/box.ts';
import { storeContract } from '../contract/store.ts';
import { verifyContract } from '../contract/verify.ts';

const folder = mkdtempSync(join(tmpdir(), 'sekisho-sqlite-'));
let made = 0;

async function makeLocation(): Promise<Place> {
  const home = join(folder, String((made += 1)));
  return { location: join(home, 'store.db'), drop: async () => rmSync(home, { recursive: true, force: true }) };
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

storeContract('SQLite', makeLocation);
verifyContract('SQLite', makeLocation);

async function refusal(location: string): Promise<string> {
  const error: unknown = await openStore(location, { tables }).catch((reason: unknown) => reason);
  if (!(error instanceof Problem)) throw new Error('it was opened');
  expect(error.code).toBe('STORE_UNAVAILABLE');
  return JSON.stringify(error.params);
}

describe('a SQLite file', () => {
  it('is created where no folder is, readable by its owner only', async () => {
    const home = join(folder, 'new', 'deep');
    const store = await openStore(join(home, 'store.db'), { tables });
    await store.commit([], [entry('first')]);
    const mode = (path: string): number => statSync(path).mode & 0o777;
    expect([join(folder, 'new'), home].map(mode)).toEqual([0o700, 0o700]);
    expect(['store.db', 'store.db-wal', 'store.db-shm'].map((name) => mode(join(home, name)))).toEqual([
      0o600, 0o600, 0o600,
    ]);
    await store.close();
  });

  it('is durable and checks references whatever the driver defaults to', async () => {
    const store = await openStore((await makeLocation()).location, { tables });
    const ask = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map((name) => ({
      sql: `pragma ${name}`,
      args: {},
    }));
    expect((await store.read(ask)).map(([row]) => Object.values(row ?? {})[0])).toEqual(['wal', 2, 1, 0]);
    await store.close();
  });

  it.each(['', '-wal', '-shm'])('whose store.db%s goes is missed at once', async (end) => {
    const { location } = await makeLocation();
    const store = await openStore(location, { tables });
    const path = location + end;
    const files = filesOf(location);
    const check = () => {
      try {
        return files.check();
      } catch (error) {
        return (error as Problem).code;
      }
    };
    expect(check()).toBeUndefined();
    renameSync(path, `${path}.away`);
    expect(check()).toBe('STORE_REMOVED');
    linkSync(`${path}.away`, path);
    expect(check()).toBeUndefined();
    writeFileSync(`${path}.other`, '');
    renameSync(`${path}.other`, path);
    expect(check()).toBe('STORE_REMOVED');
    renameSync(`${path}.away`, path);
    expect(check()).toBeUndefined();
    await store.close();
  });

  it('that is no database is refused and left alone', async () => {
    const file = join(folder, 'notes.txt');
    writeFileSync(file, 'not a database '.repeat(100));
    expect(await refusal(file)).toMatch(/not a database/);
    expect(statSync(file).size).toBe(1500);
  });

  it('of another program is refused and left alone', async () => {
    const file = join(folder, 'foreign.db');
    const foreign = new DatabaseSync(file);
    foreign.exec('create table theirs (a); pragma user_version = 1');
    expect(await refusal(file)).toMatch(/another program/);
    expect(foreign.prepare('select name from sqlite_schema').all()).toHaveLength(1);
    expect(foreign.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'delete' });
    foreign.close();
  });

  it('that cannot be created is refused with its path and the reason', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    expect(await refusal(join(file, 'store.db'))).toMatch(/a-file\/store\.db.*(EEXIST|ENOTDIR)/);
    expect(await refusal(folder)).toMatch(/unable to open/);
  });

  it('is never kept in memory, and an unknown URL is no file', async () => {
    expect(await refusal(':memory:')).toMatch(/neither/);
    const shown = await refusal('mysql://root:secret@db/x');
    expect(shown).toMatch(/neither/);
    expect(shown).not.toMatch(/secret/);
  });

  it('that is locked is waited for without blocking the event loop, then reported', async () => {
    const { location } = await makeLocation();
    const store = await openStore(location, { tables });
    const holder = new DatabaseSync(location);
    holder.exec('begin immediate');
    // The loop turns while the commit waits: it is a turn of it that lets go.
    let turns = 0;
    const turning = setInterval(() => (turns += 1) === 20 && holder.exec('commit'), 5);
    expect(await store.commit([put('waited')], [entry('waited')])).toMatchObject({ done: true });
    expect(turns).toBeGreaterThanOrEqual(20);
    holder.exec('begin immediate');
    await expect(store.commit([put('late')], [entry('late')])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    holder.exec('commit');
    clearInterval(turning);
    expect(await store.commit([put('late')], [entry('late')])).toMatchObject({ done: true });
    holder.close();
    await store.close();
  });
});
