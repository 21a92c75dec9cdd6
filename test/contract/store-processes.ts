import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommitOutcome, Store } from '../../src/kernel/store/store.ts';
import { dialectOf } from '../../src/store/dialects.ts';
import { openStore } from '../../src/store/open.ts';
import { until } from '../setup/until.ts';
import { builtStore } from '../fixtures/store/build.ts';
import { startStoreProcess, startStoreProcesses, type StoreProcess } from '../fixtures/store/child.ts';
import { beat, boxes, collect, entry, type Place, put, tables } from './box.ts';

interface Seen {
  readonly seq: number;
  readonly data: string;
  readonly received: number;
}

const WRITERS = 8;
const KILLS = 16;

const openAll = (processes: readonly StoreProcess[]): Promise<unknown> =>
  Promise.all(processes.map((each) => each.ask('open')));

/** The part of the contract that needs real processes beside this one. */
export function storeProcessContract(makeLocation: () => Promise<Place>): void {
  let place: Place;
  let store: Store;

  beforeEach(async () => {
    place = await makeLocation();
    store = await openStore(place.location, { tables });
    await store.commit([], [entry('schema')]);
  });
  afterEach(async () => {
    await store.close();
    await place.drop();
  });

  it('can open a fresh database all at once', async () => {
    for (let round = 0; round < 2; round += 1) {
      const fresh = await makeLocation();
      const processes = await startStoreProcesses(fresh.location, WRITERS);
      expect(await Promise.all(processes.map((each) => each.ask('open')))).toEqual(Array(WRITERS).fill(0));
      await Promise.all(processes.map((each) => each.kill()));
      await fresh.drop();
    }
  });

  it('at one revision have exactly one winner, every time', async () => {
    const processes = await startStoreProcesses(place.location, WRITERS);
    await openAll(processes);
    await store.commit([put('prize')], [entry('prize')]);
    for (let revision = 0; revision < 60; revision += 1) {
      const outcomes = await Promise.all(
        processes.map((each) => each.ask<CommitOutcome>('claim', { box: 'prize', revision })),
      );
      expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
      expect(outcomes.filter((outcome) => !outcome.done && outcome.conflict === 0)).toHaveLength(WRITERS - 1);
    }
    expect(await boxes(store)).toMatchObject([{ id: 'prize', revision: 60 }]);
  });

  it('are followed without a gap, a repeat or a wrong order while eight write', async () => {
    const each = 60;
    const until = 1 + WRITERS * each * 2;
    const [follower, ...writers] = await startStoreProcesses(place.location, WRITERS + 1);
    await openAll([follower!, ...writers]);
    const elsewhere = follower!.ask<readonly Seen[]>('follow', { from: 0, until });
    const here = collect(store, 0, until);
    await Promise.all(writers.map((writer, n) => writer.ask('append', { tag: `w${n}`, count: each })));
    const everything = Array.from({ length: until }, (_, n) => n + 1);
    expect((await elsewhere).map(({ seq }) => seq)).toEqual(everything);
    const recorded = await here;
    expect(recorded.map(({ seq }) => seq)).toEqual(everything);
    for (let n = 0; n < WRITERS; n += 1) {
      const own = recorded
        .filter(({ subject }) => subject === `w${n}`)
        .map(({ data }) => JSON.parse(data) as { n: number; part: number });
      expect(own.map((part) => part.n * 2 + part.part)).toEqual(
        Array.from({ length: each * 2 }, (_, index) => index + 1),
      );
    }
  });

  it('wake each other', async () => {
    const [follower, writer] = await startStoreProcesses(place.location, 2);
    await openAll([follower!, writer!]);
    const following = follower!.ask<readonly Seen[]>('follow', { from: 1, until: 1 + 2 * 40 });
    await writer!.ask('append', { tag: 'wake', count: 40, pauseMs: 15 });
    // Everything arrives, in order; how soon is a matter of the benchmark.
    expect((await following).map(({ seq }) => seq)).toEqual(Array.from({ length: 80 }, (_, n) => n + 2));
  });

  it('see what another one touched, and are told of it', async () => {
    await store.commit([put('a')], [entry('a')]);
    const head = await store.head();
    const toucher = await startStoreProcess(place.location);
    await toucher.ask('open');
    // The engine itself: a store also looks twice a second, without having been told.
    const engine = await dialectOf(place.location).open(place.location, {
      tables,
      backUp: () => Promise.reject(new Error('nothing is migrated here')),
    });
    let hints = 0;
    const unwatch = engine.watch(() => (hints += 1));
    const beatOf = async () => (await engine.read([{ sql: 'select beat from box', args: {} }]))[0]?.[0]?.['beat'];
    // One hint may be left from the time when it began to listen, so it must be told several times.
    for (let count = 1; count <= 4; count += 1) {
      const before = hints;
      expect(await toucher.ask('touch', { box: 'a', beat: count })).toEqual({ done: true, seq: head });
      expect(await beatOf()).toBe(count);
      await until('it is told', () => hints > before);
    }
    for (let count = 5; count <= 8; count += 1) {
      const before = hints;
      await engine.commit([beat('a', count)], []);
      await until('it tells itself', () => hints > before);
    }
    unwatch();
    await engine.close();
  });

  it('end when they have nothing else to do, even while following', async () => {
    const fixture = join(import.meta.dirname, '../fixtures/store/idle.mjs');
    await promisify(execFile)(process.execPath, [fixture, await builtStore(), place.location], { timeout: 250_000 });
    expect(await store.head()).toBe(2);
  });

  it('lose no acknowledged commit to kill -9', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < KILLS / 2; round += 1) {
      const pair = await Promise.all([startStoreProcess(place.location), startStoreProcess(place.location)]);
      await openAll(pair);
      for (const [n, each] of pair.entries())
        each.ask('writeForEver', { tag: `kill-${round}-${n}` }).catch(() => 'it was killed, as planned');
      await until('both have written', () => pair.every((each) => each.acknowledged.length > 0));
      // Somewhere in the middle of a commit.
      await pause(20 * Math.random());
      await Promise.all(pair.map((each) => each.kill()));
      acknowledged.push(...pair.flatMap((each) => each.acknowledged));
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS);
    // A PostgreSQL server may still end the last commit of a killed client: look until nothing moves between the looks.
    let head: number, kept: Set<unknown>;
    do {
      head = await store.head();
      kept = new Set((await boxes(store)).map((box) => box['id']));
    } while ((await store.head()) !== head);
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
    // All or nothing: a row for every line of the journal, a line for every row, and no number left out.
    const recorded = (await store.after(1, 1_000_000)).filter(({ seq }) => seq <= head);
    expect(new Set(recorded.map(({ subject }) => subject))).toEqual(kept);
    expect(recorded.map(({ seq }) => seq)).toEqual(Array.from({ length: recorded.length }, (_, n) => n + 2));
  });
}
