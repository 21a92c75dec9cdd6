import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { tables as productTables } from '../../src/app/tables.ts';
import type { Problem } from '../../src/kernel/problem.ts';
import type { Query, Store } from '../../src/kernel/store/store.ts';
import { defineTable } from '../../src/kernel/store/table.ts';
import { checkBackup } from '../../src/store/backup-check.ts';
import { openFoundStore } from '../../src/store/open-found.ts';
import { openStore } from '../../src/store/open.ts';
import { schemaVersion } from '../../src/store/schema.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { killStoreProcesses, startStoreProcess, startStoreProcesses } from '../fixtures/store/child.ts';
import { byHand } from '../setup/by-hand.ts';
import { until } from '../setup/until.ts';
import { beat, entry, type Place, put, tables } from './box.ts';

export interface MigrationPlaces {
  /** A store that version 0.1.0 made (schema 13): a run with evidence, a project, an agent, two tasks. */
  old(): Promise<Place>;
  empty(): Promise<Place>;
  /** Says that the database has another schema. */
  setVersion(version: number): string;
  /** As a server of schema 13 is connected. Returns how it leaves. */
  connectOldServer(location: string): Promise<() => Promise<void>>;
}

/** What every database must do with a store of an older schema. */
export function migrationContract(name: string, places: MigrationPlaces): void {
  describe(`a store of an older schema on ${name}`, () => {
    let place: Place;
    let backups: string;

    beforeEach(async () => {
      place = await places.old();
      backups = mkdtempSync(join(tmpdir(), 'sekisho-backups-'));
    });
    afterEach(async () => {
      await killStoreProcesses();
      await place.drop();
      rmSync(backups, { recursive: true });
    });

    const migrated: Query = { sql: `select data from journal where kind = 'store.migrated'`, args: {} };
    const open = () => openStore(place.location, { tables: productTables, backups });
    const reasonOf = async (opening: Promise<unknown>): Promise<string> => {
      const refused = await opening.then(
        () => new Error('it was opened'),
        (error: unknown) => error as Problem<{ reason: { en: string } }>,
      );
      if (!('params' in refused)) throw refused;
      return refused.params.reason.en;
    };

    it('is migrated when it is opened, after a backup, with every row as the journal knows it', async () => {
      const store = await open();
      expect(await store.read([{ sql: 'select title from work_task order by created_at', args: {} }])).toEqual([
        [{ title: 'First task' }, { title: 'Second task 関所' }],
      ]);
      const [[told] = []] = await store.read([migrated]);
      const { from, to, backup } = JSON.parse(String(told?.['data'])) as { from: number; to: number; backup: string };
      expect({ from, to }).toEqual({ from: 13, to: schemaVersion });
      expect(readdirSync(backups).map((file) => join(backups, file))).toEqual([backup]);
      expect(statSync(backup).mode & 0o777).toBe(0o600);
      const checked = await checkBackup(backup, productTables);
      expect(checked).toMatchObject({ header: { schema: 13 }, rows: { work_task: 2, journal: 7 }, faultCount: 0 });
      expect(await verifyStore(store, productTables)).toMatchObject({ entries: 8, faults: [] });
      await store.commit([], [entry('later')]);
      await store.close();
      const again = await open();
      expect((await again.read([migrated]))[0]).toHaveLength(1);
      expect(await verifyStore(again, productTables)).toMatchObject({ entries: 9, faults: [] });
      await again.close();
    });

    it('is migrated once by eight processes that start together', async () => {
      const processes = await startStoreProcesses(place.location, 8);
      await Promise.all(processes.map((each) => each.ask('open', { backups, more: productTables })));
      await Promise.all(processes.map((each, n) => each.ask('append', { tag: `p${n}`, count: 3 })));
      await killStoreProcesses();
      const store = await open();
      expect((await store.read([migrated]))[0]).toHaveLength(1);
      expect((await verifyStore(store, [...productTables, ...tables])).faults).toEqual([]);
      await store.close();
    });

    it('is left as it was while an older server is connected, and migrated when that is gone', async () => {
      const leave = await places.connectOldServer(place.location);
      expect(await reasonOf(open())).toMatch(/has to be migrated.*other Sekisho processes still use it/);
      expect(readdirSync(backups)).toEqual([]);
      expect(await reasonOf(openFoundStore(place.location))).toMatch(/an older Sekisho has written it.*sekisho doctor/);
      await leave();
      await (await open()).close();
    });

    it('is whole, as it was or migrated, wherever a migration is killed', async () => {
      let interrupted = 0;
      for (let round = 0; round < 12; round += 1) {
        const child = await startStoreProcess(place.location);
        child.ask('open', { backups, more: productTables }).catch(() => undefined);
        await pause(round * 8);
        await child.kill();
        const isMigrated = await openFoundStore(place.location).then(
          (store) => store.close().then(() => true),
          () => false,
        );
        if (isMigrated) break;
        interrupted += 1;
      }
      expect(interrupted).toBeGreaterThan(0);
      const store = await until('the killed ones are gone', () => open().catch(() => undefined));
      expect((await store!.read([migrated]))[0]).toHaveLength(1);
      expect((await verifyStore(store!, productTables)).faults).toEqual([]);
      await store!.close();
    });
  });

  describe(`a store on ${name}`, () => {
    let place: Place;
    let store: Store;

    beforeEach(async () => {
      place = await places.empty();
      store = await openStore(place.location, { tables });
      await store.commit([put('a')], [entry('a')]);
    });
    afterEach(async () => {
      await store.close();
      await place.drop();
    });

    it('keeps the digests of rows that a new column says nothing of', async () => {
      const other = await places.empty();
      const kept = mkdtempSync(join(tmpdir(), 'sekisho-backups-'));
      onTestFinished(async () => {
        await other.drop();
        rmSync(kept, { recursive: true });
      });
      // Another process: this one would keep SQLite's file open.
      const writer = await startStoreProcess(other.location);
      await writer.ask('open');
      await writer.ask('append', { tag: 'a', count: 1 });
      await writer.kill();
      await byHand(other.location, places.setVersion(13));
      const [, ...others] = tables;
      const box = defineTable({
        name: 'box',
        columns: {
          id: 'text not null',
          note: 'text',
          revision: 'bigint not null',
          owner: 'text not null',
          beat: 'bigint',
          size: 'bigint',
        },
        key: ['id'],
        volatile: ['beat'],
        added: ['note', 'size'],
        indexes: { by_note: 'note' },
      });
      const wider = [box, ...others];
      const wide = await until('the lease has ended', () =>
        openStore(other.location, { tables: wider, backups: kept }).catch(() => undefined),
      );
      onTestFinished(() => wide!.close());
      expect((await verifyStore(wide!, wider)).faults).toEqual([]);
      const noted = (id: string, note: string | null, size: number | null) => ({
        sql: 'update box set note = :note, size = :size where id = :id',
        args: { id, note, size },
        rows: 1,
      });
      await wide!.commit([put('b'), noted('b', '2:関所', 7), noted('a-0', null, 3)], [entry('b')]);
      expect((await verifyStore(wide!, wider)).faults).toEqual([]);
      await byHand(other.location, `update box set note = null, size = 7 where id = 'b'`);
      expect((await verifyStore(wide!, wider)).faults).toMatchObject([{ table: 'box', key: ['b'], damage: 'changed' }]);
    });

    it('takes no commit of a process that opened it before it was migrated or restored', async () => {
      await byHand(place.location, 'update sekisho_head set epoch = epoch + 1');
      await expect(store.commit([put('b')], [entry('b')])).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        params: { reason: { en: expect.stringMatching(/restart this process/) } },
      });
      await expect(store.touch([beat('a', 1)])).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        params: { reason: { en: expect.stringMatching(/restart this process/) } },
      });
      const later = await openStore(place.location, { tables });
      expect(await later.read([{ sql: 'select id, beat from box', args: {} }])).toEqual([[{ id: 'a', beat: null }]]);
      expect(await later.touch([beat('a', 1)])).toMatchObject({ done: true });
      expect(await later.commit([put('b')], [entry('b')])).toMatchObject({ done: true });
      await later.close();
    });

    it('knows the processes that have it open', async () => {
      const rows: Query = { sql: 'select pid from sekisho_process', args: {} };
      const other = await openStore(place.location, { tables });
      await until('both are known', async () => (await store.read([rows]))[0]?.length === 2);
      expect((await store.read([rows]))[0]).toEqual([{ pid: process.pid }, { pid: process.pid }]);
      await other.close();
      expect((await store.read([rows]))[0]).toHaveLength(1);
    });
  });
}
