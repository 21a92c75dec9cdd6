import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Problem, problem } from '../../src/kernel/problem.ts';
import type { Entry, Query, Recorded, Store, Write } from '../../src/kernel/store/store.ts';
import { openFoundStore } from '../../src/store/open-found.ts';
import { openStore } from '../../src/store/open.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { byHand } from '../setup/by-hand.ts';
import { until } from '../setup/until.ts';
import { killStoreProcesses } from '../fixtures/store/child.ts';
import { beat, boxes, collect, entry, move, type Place, put, tables } from './box.ts';
import { storeProcessContract } from './store-processes.ts';

/** What every database must do. `makeLocation` gives an empty one of its own. */
export function storeContract(name: string, makeLocation: () => Promise<Place>): void {
  describe(`a store on ${name}`, () => {
    let place: Place;
    let store: Store;

    beforeAll(async () => {
      place = await makeLocation();
      store = await openStore(place.location, { tables });
      await store.commit([], [entry('schema')]);
    });
    beforeEach(() =>
      store.commit(
        [
          { sql: 'delete from lid', args: {} },
          { sql: 'delete from box', args: {} },
        ],
        [entry('emptied')],
      ),
    );
    afterAll(async () => {
      await store.close();
      await place.drop();
    });

    const beats = async () => (await store.read([{ sql: 'select id, beat from box order by id', args: {} }]))[0];

    it('keeps text, numbers and nothing exactly as they were given', async () => {
      const odd = `'quoted' "double" :name ::text \\ {a,b} 関所 \u{1F6A7}\n`;
      await store.commit([put('odd', odd)], [entry('odd', { odd })]);
      const [first, second] = await store.read([
        {
          sql: `select owner, revision + 9007199254740991 as large, 1.5 as fraction, nullif(1, 1) as void, ':owner' as text from box`,
          args: {},
        },
        { sql: 'select data from journal where subject = :subject -- :comment', args: { subject: 'odd' } },
      ]);
      expect(first).toEqual([{ owner: odd, large: 9007199254740991, fraction: 1.5, void: null, text: ':owner' }]);
      expect(JSON.parse(String(second?.[0]?.['data']))).toEqual({ odd });
    });

    it('counts, sums and compares in plain numbers', async () => {
      await store.commit([put('a'), put('b'), move('b', 0)], [entry('numbers')]);
      const [rows] = await store.read([
        { sql: 'select count(*) as boxes, sum(revision) as moves, max(revision) > 0 as moved from box', args: {} },
      ]);
      expect(rows).toEqual([{ boxes: 2, moves: 1, moved: 1 }]);
    });

    it('takes one argument for several places', async () => {
      await store.commit([put('x', 'x'), put('y', 'z')], [entry('places')]);
      const [rows] = await store.read([
        { sql: 'select id from box where id = :who and owner = :who', args: { who: 'x' } },
      ]);
      expect(rows).toEqual([{ id: 'x' }]);
    });

    it('refuses an argument that is missing or has no place', async () => {
      await expect(store.read([{ sql: 'select id from box where id = :id', args: {} }])).rejects.toThrow(
        /:id is missing/,
      );
      await expect(store.read([{ sql: 'select id from box', args: { id: 'a' } }])).rejects.toThrow(/no placeholder/i);
    });

    it('answers no query with no result', async () => {
      expect(await store.read([])).toEqual([]);
    });

    it('reads all queries of one call in the same snapshot', async () => {
      await store.commit([put('one'), put('two')], [entry('snapshot')]);
      const both: Write = { sql: 'update box set revision = revision + 1', args: {}, rows: 2 };
      const look = (id: string) => ({ sql: 'select revision from box where id = :id', args: { id } });
      const writer = await openStore(place.location, { tables });
      let writing = true;
      const writes = (async () => {
        for (let n = 0; n < 150; n += 1) await writer.commit([both], [entry('snapshot')]);
        writing = false;
      })();
      while (writing) {
        const [one, two] = await store.read([look('one'), look('two')]);
        expect(one).toEqual(two);
        await new Promise((resume) => setImmediate(resume));
      }
      await writes;
      await writer.close();
    });

    it('shows a commit to the next read', async () => {
      for (let n = 0; n < 50; n += 1) {
        await store.commit([put(`row-${n}`)], [entry('next')]);
        expect(await boxes(store)).toHaveLength(n + 1);
      }
    });

    it('runs the writes in order, so a later one sees an earlier one', async () => {
      const outcome = await store.commit([put('a'), move('a', 0), move('a', 1)], [entry('a')]);
      expect(outcome).toMatchObject({ done: true });
      expect(await boxes(store)).toEqual([{ id: 'a', revision: 2, owner: 'nobody' }]);
    });

    it('records the rows of a write that ends in a comment', async () => {
      await store.commit([put('a')], [entry('a')]);
      const { sql, args } = move('a', 0);
      expect(await store.commit([{ sql: `${sql} -- and no other`, args, rows: 1 }], [entry('a')])).toMatchObject({
        done: true,
      });
      expect((await verifyStore(store, tables)).faults).toEqual([]);
    });

    it('names the write that missed its revision, and leaves nothing behind', async () => {
      await store.commit([put('a')], [entry('a')]);
      const before = await store.head();
      expect(await store.commit([put('b'), move('a', 7), put('c')], [entry('a')])).toEqual({
        done: false,
        conflict: 1,
      });
      expect(await boxes(store)).toHaveLength(1);
      expect(await store.head()).toBe(before);
    });

    it('names the write that met an existing key, and leaves nothing behind', async () => {
      await store.commit([put('a')], [entry('a')]);
      const before = await store.head();
      expect(await store.commit([put('b'), put('c'), put('a')], [entry('a')])).toEqual({ done: false, conflict: 2 });
      const unchecked = { sql: put('a').sql, args: put('a').args };
      expect(await store.commit([unchecked], [entry('a')])).toEqual({ done: false, conflict: 0 });
      expect(await boxes(store)).toHaveLength(1);
      expect(await store.head()).toBe(before);
    });

    it('does not mind how many rows a write touches unless it is told', async () => {
      const clear: Write = { sql: 'delete from box', args: {} };
      expect(await store.commit([clear, put('a'), put('b'), clear], [entry('any')])).toMatchObject({ done: true });
      const skip: Write = {
        sql: `insert into box (id, revision, owner) values ('a', 0, 'x') on conflict (id) do nothing`,
        args: {},
      };
      expect(
        await store.commit(
          [
            { ...skip, rows: 1 },
            { ...skip, rows: 0 },
          ],
          [entry('any')],
        ),
      ).toMatchObject({ done: true });
    });

    it('undoes everything when a statement is wrong', async () => {
      const before = await store.head();
      const wrong: Write = { sql: 'update box set no_such_column = 1', args: {} };
      await expect(store.commit([put('a'), wrong, put('b')], [entry('a')])).rejects.toThrow(/no_such_column/);
      expect(await boxes(store)).toEqual([]);
      expect(await store.head()).toBe(before);
      expect(await store.commit([put('a')], [entry('a')])).toEqual({ done: true, seq: before + 1 });
    });

    it('names the write that missed or met a key among writes to several tables', async () => {
      const lid = (id: string, of: string): Write => ({
        sql: 'insert into lid (id, box) values (:id, :of)',
        args: { id, of },
        rows: 1,
      });
      const note: Write = { sql: `insert into scratch (id, note) values ('s', null)`, args: {} };
      expect(await store.commit([put('a'), lid('l', 'a'), note], [entry('a')])).toMatchObject({ done: true });
      const before = await store.head();
      expect(await store.commit([move('a', 0), lid('l', 'a')], [entry('a')])).toEqual({ done: false, conflict: 1 });
      expect(await store.commit([lid('m', 'a'), move('a', 7)], [entry('a')])).toEqual({ done: false, conflict: 1 });
      expect(await store.commit([move('a', 7), lid('m', 'a')], [entry('a')])).toEqual({ done: false, conflict: 0 });
      expect(await boxes(store)).toEqual([{ id: 'a', revision: 0, owner: 'nobody' }]);
      expect(await store.head()).toBe(before);
    });

    it('shows a write what an earlier one did to another table', async () => {
      const copy: Write = { sql: `insert into scratch (id, note) select id, owner from box -- all of them`, args: {} };
      await store.commit([put('new', 'me'), copy], [entry('new')]);
      const found: Query = { sql: 'select note from scratch where id = :id', args: { id: 'new' } };
      expect(await store.read([found])).toEqual([[{ note: 'me' }]]);
    });

    it('gives the rows of several queries as it gives those of one', async () => {
      await store.commit([put('a', '"\\ ü 関所')], [entry('a')]);
      const query: Query = {
        sql: `select id, revision, owner, beat, exists (select 1 from box) as there, count(*) as n, sum(revision) as total
          from box where owner <> :no group by id, revision, owner, beat -- of everybody`,
        args: { no: 'x' },
      };
      const none: Query = { sql: 'select id from lid', args: {} };
      const [rows] = await store.read([query]);
      expect(rows).toEqual([{ id: 'a', revision: 0, owner: '"\\ ü 関所', beat: null, there: 1, n: 1, total: 0 }]);
      expect(await store.read([query, none, query])).toEqual([rows, [], rows]);
    });

    it('takes a broken reference for an error, not for a conflict', async () => {
      const lid: Write = { sql: `insert into lid (id, box) values ('l', 'nowhere')`, args: {}, rows: 1 };
      await expect(store.commit([put('a'), lid], [entry('a')])).rejects.toThrow(/foreign key/i);
      expect(await boxes(store)).toEqual([]);
    });

    it('fails a read as a whole and works on', async () => {
      await expect(
        store.read([
          { sql: 'select 1 as one', args: {} },
          { sql: 'select nonsense', args: {} },
        ]),
      ).rejects.toThrow(/nonsense/);
      await expect(store.read([{ sql: 'select nonsense', args: {} }])).rejects.toThrow(/nonsense/);
      expect(await store.read([{ sql: 'select 1 as one', args: {} }])).toEqual([[{ one: 1 }]]);
    });

    it('lets exactly one of many calls at one revision win', async () => {
      await store.commit([put('a')], [entry('a')]);
      for (let revision = 0; revision < 20; revision += 1) {
        const outcomes = await Promise.all(
          Array.from({ length: 12 }, () => store.commit([move('a', revision)], [entry('a')])),
        );
        expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
      }
    });

    it('settles batches that touch the same rows in opposite order', async () => {
      await store.commit([put('a'), put('b')], [entry('cross')]);
      const bump = (id: string): Write => ({
        sql: 'update box set revision = revision + 1 where id = :id',
        args: { id },
        rows: 1,
      });
      const batches = Array.from({ length: 4 }, (_, n) => (n % 2 ? [bump('a'), bump('b')] : [bump('b'), bump('a')]));
      const outcomes = await Promise.all(batches.map((batch) => store.commit(batch, [entry('cross')])));
      expect(outcomes.every(({ done }) => done)).toBe(true);
      expect((await boxes(store)).map((box) => box['revision'])).toEqual([4, 4]);
    });

    it('numbers the journal without gaps and answers with the last number', async () => {
      const before = await store.head();
      const batches = Array.from({ length: 30 }, (_, n) => [put(`j-${n}`), ...(n % 3 === 2 ? [put('j-0')] : [])]);
      const outcomes = await Promise.all(
        batches.map((batch, n) => store.commit(batch, [entry(`j-${n}`, 1), entry(`j-${n}`, 2), entry(`j-${n}`, 3)])),
      );
      const done = outcomes.flatMap((outcome) => (outcome.done ? [outcome.seq] : []));
      expect(done).toHaveLength(20);
      const recorded = await store.after(before, 1000);
      expect(recorded.map(({ seq }) => seq)).toEqual(Array.from({ length: 60 }, (_, n) => before + n + 1));
      for (const seq of done) {
        const own = recorded.filter((row) => row.seq > seq - 3 && row.seq <= seq);
        expect(own.map(({ data }) => data)).toEqual(['1', '2', '3']);
        expect(new Set(own.map(({ subject }) => subject)).size).toBe(1);
      }
      expect(await store.head()).toBe(before + 60);
    });

    it('hands the journal out in pages, oldest first', async () => {
      const before = await store.head();
      await store.commit([], [entry('p', 1), entry('p', 2), entry('p', 3)]);
      const page = await store.after(before, 2);
      expect(page).toEqual([
        { ...entry('p', 1), seq: before + 1 },
        { ...entry('p', 2), seq: before + 2 },
      ]);
      expect(await store.after(before + 2, 2)).toHaveLength(1);
      expect(await store.after(before + 3, 2)).toEqual([]);
    });

    it('follows what was there and what comes, to several followers', async () => {
      const before = await store.head();
      await store.commit([], Array.from({ length: 700 }, (_, n) => entry('early', n)) as [Entry, ...Entry[]]);
      const followers = [collect(store, before, 720), collect(store, before, 720), collect(store, before + 700, 20)];
      for (let n = 0; n < 20; n += 1) await store.commit([], [entry('late', n)]);
      const [one, two, three] = await Promise.all(followers);
      expect(one?.map(({ seq }) => seq)).toEqual(Array.from({ length: 720 }, (_, n) => before + n + 1));
      expect(two).toEqual(one);
      expect(three).toEqual(one?.slice(700));
    });

    it('wakes a follower for a commit of its own process', async () => {
      const before = await store.head();
      const seen = collect(store, before, 1);
      await store.commit([], [entry('own')]);
      expect(await seen).toMatchObject([{ subject: 'own' }]);
    });

    it('touches volatile columns without a journal entry, and verifies afterwards', async () => {
      await store.commit([put('a'), put('b')], [entry('touched')]);
      const head = await store.head();
      const note: Write = { sql: `insert into scratch (id, note) values ('touched', 'yes')`, args: {}, rows: 1 };
      expect(await store.touch([beat('a', 1), beat('b', 2), note])).toEqual({ done: true, seq: head });
      const clear: Write = { sql: `delete from scratch where id = 'touched'`, args: {}, rows: 1 };
      const named: Write = {
        sql: `update box set beat = case when owner is distinct from 'x, owner = ' then (select max(beat) from box where id = :id) end
          where id = :id -- , owner = 1`,
        args: { id: 'b' },
        rows: 1,
      };
      expect(await store.touch([clear, named])).toEqual({ done: true, seq: head });
      expect(await beats()).toEqual([
        { id: 'a', beat: 1 },
        { id: 'b', beat: 2 },
      ]);
      expect(await store.head()).toBe(head);
      expect((await verifyStore(store, tables)).faults).toEqual([]);
    });

    it('names the write of a touch that missed, and leaves nothing behind', async () => {
      await store.commit([put('a')], [entry('touched')]);
      expect(await store.touch([beat('a', 1), beat('nowhere', 1), beat('a', 2)])).toEqual({ done: false, conflict: 1 });
      expect(await beats()).toEqual([{ id: 'a', beat: null }]);
    });

    it('refuses to touch anything that a digest covers', async () => {
      await store.commit([put('a')], [entry('touched')]);
      for (const sql of [
        `update box set owner = 'me'`,
        `update box set beat = 1, owner = 'me'`,
        `update box set beat = case when beat is distinct from 1 then 1 end, owner = 'me' where id = 'a'`,
        `update box set (beat, owner) = (1, 'me')`,
        `update box set beat = 1, "owner" = 'me'`,
        `update box set beat = 1, /* = */ OWNER = 'me'`,
        `update box as beat set owner = 'me'`,
        `update box set id = 'b'`,
        `insert into box (id, revision, owner, beat) values ('b', 0, 'me', 1)`,
        `insert into box (id, revision, owner) values ('a', 0, 'me') on conflict (id) do update set beat = 1`,
        'delete from box',
      ])
        await expect(store.touch([beat('a', 1), { sql, args: {} }]), sql).rejects.toThrow(
          /only volatile columns of box/,
        );
      for (const sql of [`update journal set actor = 'me'`, 'delete from sekisho_process'])
        await expect(store.touch([{ sql, args: {} }]), sql).rejects.toThrow(/opened with/);
      expect(await beats()).toEqual([{ id: 'a', beat: null }]);
      const bare = await openFoundStore(place.location);
      await expect(bare.touch([beat('a', 1)])).rejects.toThrow(/opened with/);
      await bare.close();
    });

    it('tells a watcher of a touch, until it stops watching', async () => {
      await store.commit([put('a')], [entry('touched')]);
      const other = await openStore(place.location, { tables });
      let hints = 0;
      const unwatch = other.watch(() => (hints += 1));
      await other.touch([beat('a', 1)]);
      await until('it is told', () => hints > 0);
      unwatch();
      const before = hints;
      // A second watcher shows that the store still tells.
      const again = new Promise<void>((resolve) => other.watch(resolve));
      await other.touch([beat('a', 2)]);
      await again;
      expect(hints).toBe(before);
      await other.close();
    });

    it('ends a follower when its signal aborts, before or while it waits', async () => {
      const head = await store.head();
      const gone: Recorded[] = [];
      for await (const recorded of store.follow(0, AbortSignal.abort())) gone.push(recorded);
      for await (const recorded of store.follow(head, AbortSignal.timeout(30))) gone.push(recorded);
      expect(gone).toEqual([]);
    });

    it('ends its followers when it closes', async () => {
      const other = await openStore(place.location, { tables });
      const seen: Recorded[] = [];
      const follow = async () => {
        const { signal } = new AbortController();
        for await (const recorded of other.follow((await other.head()) - 1, signal)) seen.push(recorded);
      };
      const following = follow();
      await until('it follows', () => seen.length === 1);
      await other.close();
      await following;
      expect(seen).toHaveLength(1);
    });

    it('finds everything again when it is opened again', async () => {
      await store.commit([put('kept')], [entry('kept')]);
      const again = await openStore(place.location, { tables });
      expect(await boxes(again)).toEqual(await boxes(store));
      expect(await again.head()).toBe(await store.head());
      await again.close();
    });

    it('makes a table that was declared since', async () => {
      const grown = await makeLocation();
      const first = await openStore(grown.location, { tables: tables.slice(0, 1) });
      await first.commit([put('a')], [entry('a')]);
      await first.close();
      const second = await openStore(grown.location, { tables });
      const lid: Write = { sql: `insert into lid (id, box) values ('l', 'a')`, args: {}, rows: 1 };
      expect(await second.commit([lid], [entry('l')])).toEqual({ done: true, seq: 2 });
      await second.close();
      await grown.drop();
    });

    it('without tables takes what is there as it is: it reads and keeps entries, but no writes', async () => {
      const bare = await openFoundStore(place.location);
      const before = await bare.head();
      expect(await bare.commit([], [entry('bare')])).toEqual({ done: true, seq: before + 1 });
      expect(await boxes(bare)).toEqual([]);
      await expect(bare.commit([put('a')], [entry('a')])).rejects.toThrow(/opened with/);
      await bare.close();
    });

    it('without tables makes nothing, and says what does', async () => {
      const nothing = await makeLocation();
      const unmade = (error: unknown) =>
        problem.STORE_UNAVAILABLE.is(error) && /no tables.*sekisho doctor/.test(JSON.stringify(error.params));
      await expect(openFoundStore(nothing.location)).rejects.toSatisfy(unmade);
      // The first try has left nothing behind that a second could take for a database.
      await expect(openFoundStore(nothing.location)).rejects.toSatisfy(unmade);
      await nothing.drop();
    });

    it('writes only to tables that it was opened with, never to its journal', async () => {
      const before = await store.head();
      for (const sql of [
        `update journal set actor = 'nobody'`,
        'delete from sekisho_head',
        'insert into elsewhere (id) values (1)',
        'create table more (id text)',
      ])
        await expect(store.commit([put('a'), { sql, args: {} }], [entry('a')])).rejects.toThrow(/opened with/);
      expect(await store.head()).toBe(before);
    });

    it('files entries under their project', async () => {
      await store.commit([], [{ ...entry('filed'), project: 'other' }]);
      expect(await store.after((await store.head()) - 1, 1)).toMatchObject([{ project: 'other', subject: 'filed' }]);
    });

    it('refuses a database from before the first release, and names the way out', async () => {
      const older = await makeLocation();
      await (await openStore(older.location, { tables })).close();
      await byHand(older.location, setSchema(name, 5));
      for (const open of [() => openStore(older.location, { tables }), () => openFoundStore(older.location)])
        await expect(open()).rejects.toSatisfy(
          (error) => error instanceof Problem && /before the first release.*doctor/.test(JSON.stringify(error.params)),
        );
      await older.drop();
    });

    it('refuses a database that a newer Sekisho has written', async () => {
      const newer = await makeLocation();
      const first = await openStore(newer.location, { tables });
      await first.close();
      await byHand(newer.location, setSchema(name, 999));
      await expect(openStore(newer.location, { tables })).rejects.toSatisfy(
        (error) => error instanceof Problem && /newer Sekisho/.test(JSON.stringify(error.params)),
      );
      await newer.drop();
    });
  });

  describe(`several processes on ${name}`, () => {
    afterEach(killStoreProcesses);
    storeProcessContract(makeLocation);
  });
}

function setSchema(name: string, version: number): string {
  return name === 'SQLite' ? `pragma user_version = ${version}` : `update sekisho_schema set version = ${version}`;
}
