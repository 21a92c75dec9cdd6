import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Problem } from '../../src/kernel/problem.ts';
import type { Store } from '../../src/kernel/store/store.ts';
import { openFoundStore } from '../../src/store/open-found.ts';
import { openStore } from '../../src/store/open.ts';
import { killStoreProcesses, startStoreProcess, type StoreProcess } from '../fixtures/store/child.ts';
import { boxes, entry, put, tables } from '../contract/box.ts';
import { until } from '../setup/until.ts';

/** Only root may mount; elsewhere these cases are seen in CI. */
const canMount = process.getuid?.() === 0 && process.platform === 'linux';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-trouble-'));
  file = join(folder, 'store.db');
});
afterEach(async () => {
  await killStoreProcesses();
  rmSync(folder, { recursive: true, force: true });
});

async function refused(work: Promise<unknown>): Promise<Problem> {
  const outcome: unknown = await work.then(
    () => new Error('it was acknowledged'),
    (error: unknown) => error,
  );
  if (!(outcome instanceof Error && 'in' in outcome)) throw outcome;
  return outcome as Problem;
}

async function storeWith(...ids: readonly string[]): Promise<Store> {
  const store = await openStore(file, { tables });
  for (const id of ids) await store.commit([put(id)], [entry(id)]);
  return store;
}

/** A process of its own: within one, SQLite shares what connections have open. */
async function elsewhere(tag: string): Promise<StoreProcess> {
  const server = await startStoreProcess(file);
  await server.ask('open');
  await server.ask('append', { tag, count: 1 });
  return server;
}

const idsIn = async (store: Store) => (await boxes(store)).map((row) => row['id']);

describe('a database file under a running process', () => {
  it.each(['the file', 'all three files', 'the folder'])(
    'that loses %s acknowledges nothing any more',
    async (what) => {
      const store = await storeWith('a');
      if (what === 'the folder') rmSync(folder, { recursive: true });
      else for (const end of what === 'the file' ? [''] : ['', '-wal', '-shm']) rmSync(file + end);
      for (const id of ['b', 'c']) {
        const problem = await refused(store.commit([put(id)], [entry(id)]));
        expect(problem.code).toBe('STORE_REMOVED');
        expect(problem.in('en')).toMatch(/was removed.*[Rr]estore.*restart/s);
        expect(problem.in('ja')).toContain(file);
      }
      await store.close();
    },
  );

  it('that is replaced by a copy acknowledges nothing, and the copy stays as it was', async () => {
    const server = await elsewhere('a');
    const copy = join(folder, 'copy.db');
    new DatabaseSync(file).exec(`vacuum into '${copy}'`);
    renameSync(copy, file);
    await expect(server.ask('append', { tag: 'b', count: 1 })).rejects.toThrow('STORE_REMOVED');
    await server.kill();
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    const fresh = await openStore(file, { tables });
    expect(await idsIn(fresh)).toEqual(['a-0']);
    await fresh.close();
  });

  it('works on when the same file is put back', async () => {
    const store = await storeWith('a');
    renameSync(file, `${file}.away`);
    expect(await refused(store.commit([put('b')], [entry('b')]))).toMatchObject({ code: 'STORE_REMOVED' });
    renameSync(`${file}.away`, file);
    expect(await store.commit([put('b')], [entry('b')])).toMatchObject({ done: true });
    expect(await idsIn(store)).toEqual(['a', 'b']);
    await store.close();
  });

  it.each([[['-wal']], [['-shm']], [['-wal', '-shm']]])(
    'that loses %s keeps what was acknowledged, even if it is killed right after the refusal',
    async (ends) => {
      const server = await elsewhere('a');
      for (const end of ends) rmSync(file + end);
      await expect(server.ask('append', { tag: 'b', count: 1 })).rejects.toThrow('STORE_REMOVED');
      await server.kill();
      const fresh = await openStore(file, { tables });
      expect(await idsIn(fresh)).toEqual(['a-0']);
      expect(await fresh.commit([put('c')], [entry('c')])).toMatchObject({ done: true });
      await fresh.close();
    },
  );

  it.each(['', '-wal', '-shm'])('that loses store.db%s answers no read any more', async (end) => {
    const server = await elsewhere('a');
    rmSync(file + end);
    for (const _ of [1, 2]) await expect(server.ask('ids')).rejects.toThrow('STORE_REMOVED');
  });

  it.each(['once', 'twice'])('that loses -shm %s keeps what another process commits when it closes', async (times) => {
    const server = await elsewhere('a');
    // By then it has a row of its own, which goes when it closes.
    const rows = async () => (await server.ask<readonly unknown[]>('processes')).length;
    await until('it has announced itself', async () => (await rows()) > 0);
    rmSync(`${file}-shm`);
    const other = await elsewhere('b');
    await other.ask('close');
    if (times === 'twice') rmSync(`${file}-shm`);
    await server.ask('close');
    await server.ask('exit').catch(() => undefined);
    const fresh = await openStore(file, { tables });
    expect(await idsIn(fresh)).toEqual(['a-0', 'b-0']);
    await fresh.close();
  });

  it('is noticed by whoever only keeps receipts, as a hook does', async () => {
    await (await storeWith('a')).close();
    const hook = await openFoundStore(file);
    rmSync(file);
    expect(await refused(hook.commit([], [entry('receipt')]))).toMatchObject({ code: 'STORE_REMOVED' });
    await hook.close();
  });
});

describe.runIf(canMount)('a disk', () => {
  let disk: string;
  const mount = (...args: readonly string[]) => execFileSync('mount', [...args, disk]);

  beforeEach(() => {
    disk = join(folder, 'disk');
    mkdirSync(disk);
    mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs');
    file = join(disk, 'store.db');
  });
  afterEach(() => execFileSync('umount', ['-A', '-l', disk]));

  it('that is full refuses with its own code, keeps what was acknowledged, and works on when there is room', async () => {
    const store = await storeWith('a');
    const filler = join(disk, 'filler');
    const acknowledged = ['a'];
    expect(() => execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4096'], { stdio: 'ignore' })).toThrow();
    let problem: Problem | undefined;
    for (let n = 0; problem === undefined && n < 200; n += 1) {
      const id = `${n}`.padStart(4, '0');
      await store.commit([put(id, 'x'.repeat(5000))], [entry(id)]).then(
        () => acknowledged.push(id),
        (error: Problem) => (problem = error),
      );
    }
    expect(problem).toMatchObject({ code: 'STORE_FULL' });
    expect(problem?.in('en')).toMatch(/disk is full.*free/is);
    rmSync(filler);
    expect(await store.commit([put('late')], [entry('late')])).toMatchObject({ done: true });
    expect(await idsIn(store)).toEqual([...acknowledged, 'late'].toSorted());
    await store.close();
  });

  it('that is full refuses to make a database', async () => {
    expect(() =>
      execFileSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=4096'], { stdio: 'ignore' }),
    ).toThrow();
    expect(await refused(openStore(file, { tables }))).toMatchObject({ code: 'STORE_FULL' });
  });

  it.each(['with its log', 'without its log'])('that is read-only refuses with its own code (%s)', async (log) => {
    await (await elsewhere('a')).kill();
    if (log === 'without its log') for (const end of ['-wal', '-shm']) rmSync(file + end);
    mount('-o', 'bind', disk);
    mount('-o', 'remount,bind,ro');
    const write = async () => (await openStore(file, { tables })).commit([], [entry('b')]);
    const problem = await refused(write());
    expect(problem.code).toBe('STORE_READ_ONLY');
    expect(problem.in('en')).toMatch(/read-only/);
    expect(problem.in('ja')).toMatch(/読み取り専用/);
  });

  it('that is read-only refuses to make a database', async () => {
    mount('-o', 'bind', disk);
    mount('-o', 'remount,bind,ro');
    for (const path of [file, join(disk, 'other', 'store.db')])
      expect(await refused(openStore(path, { tables }))).toMatchObject({ code: 'STORE_READ_ONLY' });
  });
});
