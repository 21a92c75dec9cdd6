import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { tables as allTables } from '../../src/app/tables.ts';
import { Problem } from '../../src/kernel/problem.ts';
import type { Entry, CommitOutcome, Store } from '../../src/kernel/store/store.ts';
import { defineTable } from '../../src/kernel/store/table.ts';
import { like, escapeLike } from '../../src/kernel/store/sql-like.ts';
import { openStore } from '../../src/store/open.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { filterCondition } from '../../src/work/task/page.ts';
import { boxes, collect, entry, move, type Place, put, tables } from '../contract/box.ts';
import { storeContract } from '../contract/store.ts';
import { verifyContract } from '../contract/verify.ts';
import { freshDatabase } from '../setup/database.ts';
import { startPgbouncer, whyNoPgbouncer } from '../setup/pgbouncer.ts';
import { until } from '../setup/until.ts';
import { type PostgresServer, startPostgres } from '../setup/postgres-server.ts';

async function makeLocation(): Promise<Place> {
  const { url, drop } = await freshDatabase();
  return { location: url, drop };
}

storeContract('PostgreSQL', makeLocation);
verifyContract('PostgreSQL', makeLocation);

async function refusal(opening: Promise<unknown>): Promise<string> {
  const error: unknown = await opening.catch((reason: unknown) => reason);
  if (!(error instanceof Problem)) throw new Error(`no problem but ${String(error)}`);
  expect(error.code).toBe('STORE_UNAVAILABLE');
  return JSON.stringify(error.params);
}

describe('a PostgreSQL store', () => {
  it('never shows the password', async () => {
    const { location, drop } = await makeLocation();
    const secret = new URL(location);
    secret.password = 'hunter2';
    const store = await openStore(secret.href, { tables });
    expect(store.location).toBe(location);
    await store.close();
    secret.port = '1';
    secret.searchParams.set('application_name', 'hunter2');
    const shown = await refusal(openStore(secret.href, { tables }));
    expect(shown).toMatch(/ECONNREFUSED/);
    expect(shown).not.toMatch(/hunter2/);
    await drop();
  });

  it('says what is wrong with a URL, a database or a role', async () => {
    const missing = new URL(inject('postgresUrl'));
    missing.pathname = '/nowhere';
    expect(await refusal(openStore(missing.href, { tables }))).toMatch(/database \\"nowhere\\" does not exist/);
    expect(await refusal(openStore('postgres://%%%', { tables }))).toMatch(/reason/);
  });

  const missing = whyNoPgbouncer();
  it.skipIf(missing !== undefined)(
    'works behind a pooler in session mode, and says so of one that is not',
    async () => {
      const { location, drop } = await makeLocation();
      const [session, transaction] = [
        await startPgbouncer(location, 'session'),
        await startPgbouncer(location, 'transaction'),
      ];
      onTestFinished(async () => {
        await session.stop();
        await transaction.stop();
        await drop();
      });
      const store = await openStore(session.url, { tables });
      expect(await store.commit([put('a')], [entry('a')])).toMatchObject({ done: true });
      expect(await collect(store, 0, 1)).toMatchObject([{ subject: 'a' }]);
      await store.close();
      expect(await refusal(openStore(transaction.url, { tables }))).toMatch(/a connection pooler in transaction mode/);
    },
  );

  it('translates placeholders but not casts, strings, quoted names or comments', async () => {
    const { location, drop } = await makeLocation();
    const store = await openStore(location, { tables });
    const sql = `select :a::text || ':a' || 'it''s :a' as "x:a", '1'::int as n /* :a */ -- :a`;
    expect(await store.read([{ sql, args: { a: 'A' } }])).toEqual([[{ 'x:a': "A:ait's :a", n: 1 }]]);
    await store.close();
    await drop();
  });

  it('answers alike the first time and when the server knows the statement', async () => {
    const { location, drop } = await makeLocation();
    const store = await openStore(location, { tables });
    onTestFinished(() => store.close().then(drop));
    const ask = (text: string | null, by: number) =>
      store.read([
        { sql: 'select :text::text as text', args: { text } },
        { sql: 'select 12 / :by::bigint as part', args: { by } },
      ]);
    for (const text of ['a', null, '', `it's "関所" \\ {1,2}`, '😀'.repeat(20_000)])
      expect(await ask(text, 4)).toEqual([[{ text }], [{ part: 3 }]]);
    await expect(ask('a', 0)).rejects.toThrow(/division by zero/);
    expect(await ask('a', -6)).toEqual([[{ text: 'a' }], [{ part: -2 }]]);
    await store.commit([put('one'), put('two')], [entry('a')]);
    expect(await store.commit([put('three')], [entry('b')])).toMatchObject({ done: true });
    expect(await store.commit([put('three')], [entry('b')])).toEqual({ done: false, conflict: 0 });
    expect(await store.commit([put('four')], [entry('c')])).toMatchObject({ done: true });
  });

  it('says that it is read-only, and that its disk is full', async () => {
    const { location, drop } = await makeLocation();
    const store = await openStore(location, { tables });
    await store.commit([put('a')], [entry('a')]);
    const admin = new pg.Client({ connectionString: location });
    await admin.connect();
    await admin.query(`create function full_disk() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await admin.query('create trigger full_disk before insert on box execute function full_disk()');
    await expect(store.commit([put('b')], [entry('b')])).rejects.toMatchObject({ code: 'STORE_FULL' });
    await admin.query('drop trigger full_disk on box');
    expect(await store.commit([put('b')], [entry('b')])).toMatchObject({ done: true });
    await admin.query(`do $$ begin execute format('alter database %I set default_transaction_read_only = on',
      current_database()); end $$`);
    await admin.end();
    await store.close();
    const later = await openStore(location, { tables });
    await expect(later.commit([put('c')], [entry('c')])).rejects.toMatchObject({ code: 'STORE_READ_ONLY' });
    expect((await boxes(later)).map((row) => row['id'])).toEqual(['a', 'b']);
    await later.close();
    await drop();
  });

  it('sorts every text by its bytes, whatever the language of the database', async ({ skip }) => {
    const admin = new pg.Client({ connectionString: inject('postgresUrl') });
    await admin.connect();
    const { rowCount } = await admin.query(`select 1 from pg_collation where collprovider = 'i' limit 1`);
    await admin.end();
    if (rowCount === 0) skip('this server was built without ICU');
    const english = `template0 locale_provider icu icu_locale 'en-US'`;
    const { url, drop } = await freshDatabase(inject('postgresUrl'), english);
    onTestFinished(drop);
    const store = await openStore(url, { tables: [...tables, ...allTables] });
    onTestFinished(() => store.close());
    const ids = ['b', 'A', 'a', 'B', 'é'];
    await store.commit(
      ids.map((id) => put(id, id === 'a' ? 'École' : undefined)),
      [entry('a')],
    );
    const search = filterCondition({ text: 'École' });
    const [sorted, before, by, found, texts, alike] = await store.read([
      { sql: 'select id from box order by id', args: {} },
      { sql: 'select id from box where id < :end order by id desc', args: { end: '~' } },
      { sql: `select 'b' < '~' as plain`, args: {} },
      {
        sql: `select t.id as id from (select id, owner as title, owner as description from box) t where ${search.sql}`,
        args: search.args,
      },
      {
        sql: `select table_name, column_name from information_schema.columns
          where table_schema = current_schema() and data_type = 'text' and collation_name is distinct from 'C'`,
        args: {},
      },
      { sql: `select id from box where ${like('owner', ':text')}`, args: { text: `%${escapeLike('École')}%` } },
    ]);
    // It is another language: what belongs to no column is compared by it.
    expect(by).toEqual([{ plain: 0 }]);
    expect(sorted?.map((row) => row['id'])).toEqual(['A', 'B', 'a', 'b', 'é']);
    expect(before?.map((row) => row['id'])).toEqual(['b', 'a', 'B', 'A']);
    expect(found).toEqual([{ id: 'a' }]);
    expect(alike).toEqual([{ id: 'a' }]);
    expect(texts).toEqual([]);
    expect((await verifyStore(store, tables)).faults).toEqual([]);
  });

  it('wakes a follower by polling where NOTIFY does not arrive', async () => {
    const { location, drop } = await makeLocation();
    const store = await openStore(location, { tables });
    const seen = collect(store, await store.head(), 1);
    const silent = new pg.Client({ connectionString: location });
    await silent.connect();
    await silent.query(
      `with head as (update sekisho_head set seq = seq + 1 returning seq) insert into journal select seq, '', '', '', 'silent', '', '{}', '[]', '', '', '' from head`,
    );
    await silent.end();
    expect(await seen).toMatchObject([{ subject: 'silent' }]);
    await store.close();
    await drop();
  });

  it('makes the functions that a database of an earlier build has not', async () => {
    const { location, drop } = await makeLocation();
    const first = await openStore(location, { tables });
    await first.commit([put('a')], [entry('a')]);
    await first.close();
    const admin = new pg.Client({ connectionString: location });
    await admin.connect();
    await admin.query('drop function sekisho_note');
    const stores = await Promise.all([1, 2, 3].map(() => openStore(location, { tables })));
    for (const [n, store] of stores.entries())
      expect(await store.commit([put(`b${n}`)], [entry('b')])).toMatchObject({ done: true });
    await admin.end();
    for (const store of stores) {
      expect((await verifyStore(store, tables)).faults).toEqual([]);
      await store.close();
    }
    await drop();
  });

  it('commits nothing where the end of the journal is lost', async () => {
    const { location, drop } = await makeLocation();
    const store = await openStore(location, { tables });
    await store.commit([put('a')], [entry('a')]);
    const admin = new pg.Client({ connectionString: location });
    await admin.connect();
    await admin.query('delete from sekisho_head');
    await admin.end();
    for (const lines of [[entry('b')], [entry('b'), entry('b')]] as const)
      await expect(store.commit([put('b')], [...lines] as [Entry, ...Entry[]])).rejects.toThrow(/no rows/);
    expect((await boxes(store)).map((box) => box['id'])).toEqual(['a']);
    await store.close();
    await drop();
  });

  it('takes rows of any number of columns', async () => {
    const columns = Object.fromEntries(
      Array.from({ length: 80 }, (_, n) => [
        `c${n}`,
        n % 3 === 0 ? 'text' : n % 3 === 1 ? 'text not null' : 'bigint not null',
      ]),
    );
    const wide = defineTable({ name: 'wide', columns: { id: 'text not null', ...columns }, key: ['id'] });
    const { location, drop } = await makeLocation();
    const store = await openStore(location, { tables: [wide] });
    const names = Object.keys(columns);
    const args = Object.fromEntries(
      names.map((name, n) => [name, n % 3 === 0 ? null : n % 3 === 1 ? `text ${n} 関` : n]),
    );
    const made = `insert into wide (id, ${names.join(', ')}) values (:id, ${names.map((name) => `:${name}`).join(', ')})`;
    expect(await store.commit([{ sql: made, args: { id: 'a', ...args }, rows: 1 }], [entry('a')])).toMatchObject({
      done: true,
    });
    const changed = {
      sql: 'update wide set c3 = :now, c2 = c2 + 1 where id = :id',
      args: { id: 'a', now: 'ü' },
      rows: 1,
    };
    expect(await store.commit([changed], [entry('a')])).toMatchObject({ done: true });
    expect((await verifyStore(store, [wide])).faults).toEqual([]);
    await store.close();
    await drop();
  });

  it('notifies listeners of every commit, with the process that made it', async () => {
    const { location, drop } = await makeLocation();
    const store = await openStore(location, { tables });
    const listener = new pg.Client({ connectionString: location });
    await listener.connect();
    const senders: (string | undefined)[] = [];
    listener.on('notification', ({ payload }) => senders.push(payload));
    await listener.query('listen sekisho_journal');
    await store.commit([put('a')], [entry('one')]);
    await store.commit([put('b'), move('b', 0)], [entry('two')]);
    await store.commit([], [entry('three')]);
    await listener.query('select 1');
    expect(senders).toHaveLength(3);
    expect(new Set(senders).size).toBe(1);
    await store.close();
    await listener.end();
    await drop();
  });

  it('writes on where nobody can be notified any more, and followers poll', async () => {
    const { location, drop } = await makeLocation();
    const admin = new pg.Client({ connectionString: location });
    await admin.connect();
    await admin.query('create schema full_queue');
    await admin.query(`create function full_queue.pg_notify(text, text) returns void language plpgsql as $$
      begin raise exception 'too many notifications in the NOTIFY queue' using errcode = '54000'; end $$`);
    await admin.end();
    const path = new URL(location);
    path.searchParams.set('options', '-c search_path=full_queue,pg_catalog');
    const store = await openStore(path.href, { tables });
    const other = await openStore(path.href, { tables });
    const seen = collect(other, 0, 3);
    expect(await store.commit([put('a')], [entry('whole')])).toMatchObject({ done: true });
    expect(await store.commit([put('b'), move('b', 0)], [entry('in parts')])).toMatchObject({ done: true });
    expect(await store.commit([], [entry('alone')])).toMatchObject({ done: true });
    expect((await seen).map(({ subject }) => subject)).toEqual(['whole', 'in parts', 'alone']);
    expect((await verifyStore(store, tables)).faults).toEqual([]);
    await store.close();
    await other.close();
    await drop();
  });

  it('works on and follows on after an administrator ends all its connections', async () => {
    const { location, drop } = await makeLocation();
    const store = await openStore(location, { tables });
    await store.commit([], [entry('schema')]);
    await collect(store, 0, 1);
    const seen = collect(store, 0, 3);
    const admin = new pg.Client({ connectionString: location });
    await admin.connect();
    const { rows } = await admin.query<{ pid: number }>(
      'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    // They are told to end, and do so when they get to it.
    const left = 'select 1 from pg_stat_activity where pid = any($1)';
    const pids = rows.map(({ pid }) => pid);
    await until('all have ended', async () => (await admin.query(left, [pids])).rowCount === 0);
    await admin.end();
    expect(await boxes(store)).toEqual([]);
    await eventually(() => store.commit([], [entry('again')]));
    await store.commit([], [entry('and again')]);
    expect((await seen).map(({ subject }) => subject)).toEqual(['schema', 'again', 'and again']);
    await store.close();
    await drop();
  });
});

/** Until the store has found out that its connections are gone. */
async function eventually(commit: () => Promise<CommitOutcome>): Promise<CommitOutcome> {
  return until('it commits', () =>
    commit().catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return undefined;
    }),
  ) as Promise<CommitOutcome>;
}

describe('a PostgreSQL server that restarts', () => {
  let server: PostgresServer;
  let store: Store;

  beforeAll(async () => {
    server = await startPostgres();
    store = await openStore((await freshDatabase(server.url)).url, { tables });
    await store.commit([], [entry('schema')]);
  });
  afterAll(async () => {
    await store.close();
    await server.remove();
  });

  it('is reported while it is away, loses nothing it confirmed, and is used again when it is back', async () => {
    const confirmed: string[] = [];
    const unconfirmed: string[] = [];
    const unexpected: unknown[] = [];
    let writing = true;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; writing; n += 1) {
        const id = `${writer}-${n}`;
        try {
          if ((await store.commit([put(id)], [entry(id)])).done) confirmed.push(id);
        } catch (error) {
          if (!(error instanceof Problem)) unexpected.push(error);
          unconfirmed.push(id);
          await pause(10);
        }
      }
    });
    const stop = new AbortController();
    const followed: string[] = [];
    const following = (async () => {
      for await (const { subject } of store.follow(1, stop.signal)) followed.push(subject);
    })();
    const enough = (count: number) => until(`${count} confirmed`, () => confirmed.length >= count);
    await enough(50);
    await server.stop();
    expect(await refusal(store.read([{ sql: 'select 1 as one', args: {} }]))).toMatch(
      /ECONNREFUSED|ECONNRESET|EPIPE|terminat/i,
    );
    await server.start();
    await enough(confirmed.length + 50);
    writing = false;
    await Promise.all(writers);

    expect(unexpected).toEqual([]);
    const kept = (await boxes(store)).map((box) => String(box['id']));
    expect(confirmed.filter((id) => !kept.includes(id))).toEqual([]);
    expect(kept.filter((id) => !confirmed.includes(id) && !unconfirmed.includes(id))).toEqual([]);
    await until('all was followed', () => followed.length >= kept.length);
    stop.abort();
    await following;
    expect(followed.toSorted()).toEqual(kept.toSorted());
  });
});
