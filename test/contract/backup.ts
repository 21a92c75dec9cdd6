import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../src/kernel/store/store.ts';
import { openSnapshot, writeBackup } from '../../src/store/backup.ts';
import { checkBackup } from '../../src/store/backup-check.ts';
import { readPages } from '../../src/store/backup-file.ts';
import type { Head } from '../../src/store/engine.ts';
import { openStore } from '../../src/store/open.ts';
import { compareWith, emptyHead, refuseUnfit, replaceStore } from '../../src/store/restore.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { startStoreProcess, startStoreProcesses } from '../fixtures/store/child.ts';
import { byHand } from '../setup/by-hand.ts';
import { until } from '../setup/until.ts';
import { boxes, entry, type Place, put, tables } from './box.ts';

/** The rows of each table as one digest, so that two databases can be compared. */
async function tableDigests(location: string): Promise<Readonly<Record<string, string>>> {
  const snapshot = await openSnapshot(location, tables);
  const found: Record<string, string> = {};
  for (const table of snapshot.tables) {
    const digest = createHash('sha256');
    for await (const rows of snapshot.rows(table)) for (const row of rows) digest.update(JSON.stringify(row));
    found[table.name] = digest.digest('hex');
  }
  await snapshot.close();
  return found;
}

async function headOf(location: string): Promise<Head> {
  const snapshot = await openSnapshot(location, tables);
  await snapshot.close();
  return snapshot.head;
}

/** What every database must do with backups. `otherPlace` is one on another kind of database. */
export function backupContract(name: string, makePlace: () => Promise<Place>, otherPlace: () => Promise<Place>): void {
  describe(`a backup of a store on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sekisho-backup-'));
    let made = 0;
    const newFile = () => join(folder, `${(made += 1)}.backup`);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const open = async (make = makePlace): Promise<{ readonly location: string; readonly store: Store }> => {
      const place = await make();
      const store = await openStore(place.location, { tables });
      onTestFinished(() => store.close().then(place.drop));
      return { location: place.location, store };
    };
    const backUp = async (location: string, file = newFile()) => {
      const snapshot = await openSnapshot(location, tables);
      try {
        return await writeBackup(snapshot, file, tables);
      } finally {
        await snapshot.close();
      }
    };
    const restore = async (location: string, file: string, writes = [] as ReturnType<typeof put>[]) =>
      replaceStore(location, tables, await checkBackup(file, tables), {
        replaces: await headOf(location),
        writes,
        epoch: 2,
        journal: [entry('restored')],
      });
    const odd = `'quoted' "double" \\ {a,"b"} 関所 \u{1F6A7}\n\t`;
    const fill = (store: Store) =>
      store.commit(
        [
          put('a', odd),
          put('b'),
          { sql: `insert into lid (id, box) values ('1', 'b')`, args: {} },
          { sql: `insert into scratch (id, note) values ('x', null), ('y', :odd)`, args: { odd } },
          { sql: `update box set beat = 9007199254740991 where id = 'a'`, args: {} },
        ],
        [entry('filled', { odd })],
      );

    it('is one moment of it while four processes write, and restores every table elsewhere as it was', async () => {
      const { location, store } = await open();
      await fill(store);
      const writers = await startStoreProcesses(location, 4);
      await Promise.all(writers.map((each) => each.ask('open')));
      for (const [n, each] of writers.entries())
        each.ask('writeForEver', { tag: `w${n}` }).catch(() => 'it was killed, as planned');
      const written = () => writers.reduce((sum, each) => sum + each.acknowledged.length, 0);
      await until('all write', () => writers.every((each) => each.acknowledged.length > 5));
      const before = written();
      const backup = await backUp(location);
      await until('they write on', () => written() > before);
      await Promise.all(writers.map((each) => each.kill()));
      expect(backup).toMatchObject({ faults: [], rows: { lid: 1, scratch: 2, journal: backup.header.head.seq } });
      expect(backup.rows['box']).toBeGreaterThan(20);
      expect(statSync(backup.file).mode & 0o777).toBe(0o600);
      for (const make of [makePlace, otherPlace]) {
        const target = await open(make);
        expect(await restore(target.location, backup.file)).toBe(true);
        const again = await backUp(target.location);
        expect(again.header.head.seq).toBe(backup.header.head.seq + 1);
        expect(again.rows).toEqual({ ...backup.rows, journal: backup.header.head.seq + 1 });
        const same = await verifyStore(target.store, tables, backup.header.head.link);
        expect(same).toMatchObject({ faults: [], headFound: true, entries: backup.header.head.seq + 1 });
        expect((await boxes(target.store)).find((box) => box['id'] === 'a')?.['owner']).toBe(odd);
      }
    });

    it('brings back each row, value by value, on either database', async () => {
      const { location, store } = await open();
      await fill(store);
      const { journal: _old, ...before } = await tableDigests(location);
      const { file } = await backUp(location);
      const other = await open(otherPlace);
      expect(await restore(other.location, file)).toBe(true);
      const { journal: _other, ...there } = await tableDigests(other.location);
      expect(there).toEqual(before);
      // And back again.
      const { file: back } = await backUp(other.location);
      await store.commit([{ sql: `delete from lid`, args: {} }, put('c')], [entry('since')]);
      expect(await restore(location, back)).toBe(true);
      const { journal: _new, ...here } = await tableDigests(location);
      expect(here).toEqual(before);
      // Whoever had it open before goes on only after opening it again.
      await expect(store.commit([put('d')], [entry('stale')])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      const again = await openStore(location, { tables });
      onTestFinished(() => again.close());
      // References hold again from the next commit on.
      await expect(
        again.commit([{ sql: `insert into lid (id, box) values ('2', 'nowhere')`, args: {} }], [entry('lid')]),
      ).rejects.toThrow(/foreign key/i);
      expect(await again.commit([put('d')], [entry('after')])).toMatchObject({ done: true });
      expect((await verifyStore(again, tables)).faults).toEqual([]);
    });

    it('of an older schema is restored into tables that have gained columns since', async () => {
      const { location, store } = await open();
      await fill(store);
      const { file } = await backUp(location);
      const later = tables.map((one) =>
        one.name === 'box' ? { ...one, columns: { ...one.columns, colour: 'text' }, added: ['colour'] } : one,
      );
      const place = await makePlace();
      const newer = await openStore(place.location, { tables: later });
      onTestFinished(() => newer.close().then(place.drop));
      const backup = await checkBackup(file, later);
      expect(backup.faults).toEqual([]);
      expect(() => refuseUnfit({ ...backup, header: { ...backup.header, schema: 13 } }, later)).not.toThrow();
      const by = { replaces: emptyHead, epoch: 2, writes: [], journal: [entry('restored')] as const };
      expect(await replaceStore(place.location, later, backup, by)).toBe(true);
      expect(await boxes(newer)).toHaveLength(2);
      expect((await verifyStore(newer, later)).faults).toEqual([]);
    });

    it('is restored together with what is written on top of it, which the journal knows', async () => {
      const { location, store } = await open();
      await fill(store);
      const { file, header } = await backUp(location);
      await store.commit([put('c')], [entry('since')]);
      expect(await restore(location, file, [put('new'), { sql: `delete from lid`, args: {}, rows: 1 }])).toBe(true);
      expect((await boxes(store)).map((box) => box['id'])).toEqual(['a', 'b', 'new']);
      expect(await store.head()).toBe(header.head.seq + 1);
      expect((await verifyStore(store, tables)).faults).toEqual([]);
    });

    it('is not restored over a store that has moved on', async () => {
      const { location, store } = await open();
      await fill(store);
      const backup = await backUp(location);
      const replaces = await headOf(location);
      await store.commit([put('c')], [entry('since')]);
      const checked = await checkBackup(backup.file, tables);
      expect(
        await replaceStore(location, tables, checked, { replaces, epoch: 2, writes: [], journal: [entry('no')] }),
      ).toBe(false);
      expect(await boxes(store)).toHaveLength(3);
    });

    it('is compared with the store: rows, entries since, or another history', async () => {
      const { location, store } = await open();
      await fill(store);
      const backup = await backUp(location);
      await store.commit(
        [put('c')],
        [
          { ...entry('run-1'), kind: 'run.event' },
          { ...entry('tsk-1'), kind: 'task.x' },
        ],
      );
      const seen = await compareWith(store, tables, backup);
      expect(seen).toMatchObject({ head: { seq: 3 }, since: { entries: 2, runs: 1, tasks: 1 } });
      expect(seen.tables).toContainEqual({ table: 'box', now: 3, backup: 2 });
      const fresh = await open();
      expect(await compareWith(fresh.store, tables, backup)).toMatchObject({ since: undefined, head: { seq: 0 } });
      await fresh.store.commit([], [entry('another')]);
      expect(await compareWith(fresh.store, tables, backup)).toMatchObject({ since: undefined, head: { seq: 1 } });
    });

    it('that was cut, changed, made by somebody else or by a newer version is refused, and nothing changes', async () => {
      const { location, store } = await open();
      await fill(store);
      const { file } = await backUp(location);
      const bytes = readFileSync(file);
      const text = gunzipSync(bytes).toString('utf8');
      const lines = text.trimEnd().split('\n');
      const [header = ''] = lines;
      const rewritten = (change: (said: Record<string, unknown>) => object) =>
        gzipSync([JSON.stringify(change(JSON.parse(header))), ...lines.slice(1), ''].join('\n'));
      const flipped = Buffer.from(bytes);
      flipped[Math.floor(bytes.length / 2)]! ^= 1;
      const spoilt: Readonly<Record<string, readonly [Buffer, RegExp]>> = {
        'cut in the file': [bytes.subarray(0, bytes.length - 20), /end is missing/],
        'cut at a line': [gzipSync(`${lines.slice(0, -1).join('\n')}\n`), /end is missing/],
        'without a batch': [gzipSync(`${lines.toSpliced(2, 1).join('\n')}\n`), /checksum/],
        'one byte': [flipped, /damaged|checksum|end is missing/],
        'one value': [gzipSync(text.replace('nobody', 'nobodY')), /checksum/],
        'something behind': [gzipSync(`${text}{}\n`), /checksum/],
        'not ours': [Buffer.from('hello\n'), /not a backup/],
        'not ours, compressed': [gzipSync('{"format":"tar"}\n'), /not a backup/],
        empty: [Buffer.alloc(0), /end is missing/],
        'a newer format': [rewritten((said) => ({ ...said, version: 2 })), /newer version/],
        'a name that is a statement': [
          rewritten((said) => ({ ...said, tables: [{ name: 'box; drop table box', columns: [], key: [] }] })),
          /checksum/,
        ],
      };
      const before = await tableDigests(location);
      for (const [what, [content, reason]] of Object.entries(spoilt)) {
        const bad = newFile();
        writeFileSync(bad, content);
        const failure: unknown = await checkBackup(bad, tables).catch((error: unknown) => error);
        expect(failure, what).toMatchObject({ code: 'BACKUP_UNUSABLE' });
        expect((failure as { in(lang: string): string }).in('en'), what).toMatch(reason);
        // The same where it was whole when it was looked at.
        const whole = await checkBackup(file, tables);
        const late = { replaces: await headOf(location), epoch: 2, writes: [], journal: [entry('no')] as const };
        await expect(replaceStore(location, tables, { ...whole, file: bad }, late), what).rejects.toMatchObject({
          code: 'BACKUP_UNUSABLE',
        });
      }
      // A whole one, but not the one that was looked at.
      const first = await checkBackup(file, tables);
      const { file: second } = await backUp(location);
      const by = { replaces: await headOf(location), epoch: 2, writes: [], journal: [entry('no')] as const };
      await expect(replaceStore(location, tables, { ...first, file: second }, by)).rejects.toMatchObject({
        code: 'BACKUP_UNUSABLE',
      });
      expect(await tableDigests(location)).toEqual(before);
      const checked = await checkBackup(file, tables);
      const as = (change: object) => ({ ...checked, header: { ...checked.header, ...change } });
      expect(() => refuseUnfit(checked, tables)).not.toThrow();
      expect(() => refuseUnfit(as({ schema: 9999 }), tables)).toThrow('BACKUP_UNUSABLE');
      expect(() => refuseUnfit(checked, tables.slice(1))).toThrow('BACKUP_UNUSABLE');
    });

    it('says where the store was changed by hand before it was made', async () => {
      const { location, store } = await open();
      await fill(store);
      await byHand(location, `update box set owner = 'me' where id = 'b'`, `delete from lid`);
      const { faults } = await backUp(location);
      expect(faults.map(({ table, damage }) => [table, damage])).toEqual([
        ['box', 'changed'],
        ['lid', 'removed'],
      ]);
    });

    it('does not replace a file that is there', async () => {
      const { location } = await open();
      const { file } = await backUp(location);
      await expect(backUp(location, file)).rejects.toMatchObject({ code: 'BACKUP_EXISTS' });
    });

    it('whose restore is killed at any moment leaves the store as it was', async () => {
      const { location, store } = await open();
      await store.commit(
        Array.from({ length: 3000 }, (_, n) => put(`big-${n}`, 'x'.repeat(1000))),
        [entry('big')],
      );
      const { file, header } = await backUp(location);
      let batches = 0;
      for await (const _page of readPages(file)) batches += 1;
      expect(batches).toBeGreaterThan(3);
      await store.commit([{ sql: 'delete from box', args: {} }, put('now')], [entry('small')]);
      const replaces = await headOf(location);
      // Before the first row, in between, and when everything is loaded but not committed.
      for (const stopAt of [0, 1, Math.floor(batches / 2), batches]) {
        const child = await startStoreProcess(location);
        child.ask('restore', { file, replaces, stopAt }).catch(() => 'it was killed, as planned');
        await until('it has come that far', () => child.acknowledged.length > 0);
        await child.kill();
        expect((await boxes(store)).map((box) => box['id'])).toEqual(['now']);
        expect((await verifyStore(store, tables)).faults).toEqual([]);
      }
      const child = await startStoreProcess(location);
      expect(await child.ask('restore', { file, replaces, stopAt: -1 })).toBe(true);
      await child.kill();
      expect(await boxes(store)).toHaveLength(3000);
      expect((await verifyStore(store, tables, header.head.link)).headFound).toBe(true);
    });
  });
}
