import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tables as moduleTables } from '../../src/app/tables.ts';
import type { Store, Value, Write } from '../../src/kernel/store/store.ts';
import type { Table } from '../../src/kernel/store/table.ts';
import { linkOf } from '../../src/store/chain.ts';
import { openStore } from '../../src/store/open.ts';
import { ownTables as storeTables } from '../../src/store/schema.ts';
import { ownTables as userTables } from '../../src/user/tables.ts';
import { type Fault, type Verification, verifyStore } from '../../src/store/verify.ts';
import { byHand } from '../setup/by-hand.ts';
import { entry, move, type Place, put, tables as boxTables } from './box.ts';
import { row } from '../setup/security.ts';

const productTables = [...moduleTables, ...userTables];

/** What decides something; a table of these that became a cache would be followed by nobody. Receipts are rows of the journal. */
const deciding =
  'definition run event artifact artifact_version kept_bytes current_run dashboard_link dashboard_session run_holder caller_run tree_manifest tree_baseline tree_start token person trust program work_project work_agent work_assignment work_session work_attempt work_task work_dependency work_context work_handoff work_execution change fleet_group fleet_plan fleet_agent fleet_pause phase_plan phase_checkpoint phase_served prompt_version prompt_label upstream_activation'.split(
    ' ',
  );

type Found = readonly [damage: string, key: Fault['key']];

function foundIn(table: string, { faults }: Verification): readonly Found[] {
  return faults.filter((one) => one.table === table).map((one): Found => [one.damage, one.key]);
}

const isNumber = (table: Table, column: string): boolean => table.columns[column]?.startsWith('bigint') === true;

/** Row `n` of a table: references lead to the row of the same number, which every table has. */
function valueOf(table: Table, column: string, n: number): Value {
  if (isNumber(table, column)) return n;
  return table.key.includes(column) || table.columns[column]?.includes('references') ? `r${n}` : `${column} ${n}`;
}

function insert(table: Table, n: number): Write {
  const names = Object.keys(table.columns);
  return {
    sql: `insert into ${table.name} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`,
    args: Object.fromEntries(names.map((name) => [name, valueOf(table, name, n)])),
    rows: 1,
  };
}

const literal = (value: Value): string => (typeof value === 'string' ? `'${value}'` : String(value));

function where(table: Table, n: number): string {
  return table.key.map((name) => `${name} = ${literal(valueOf(table, name, n))}`).join(' and ');
}

const keyOf = (table: Table, n: number): Fault['key'] => table.key.map((name) => valueOf(table, name, n) ?? '');

interface Kind {
  readonly what: string;
  readonly statement: string;
  /** What must be found; nothing of a column that does not count. */
  readonly found: readonly Found[];
}

/** A change of each column, each on a row of its own, one to nothing, a row taken away and one put in. */
function kindsOf(table: Table, most: number): readonly Kind[] {
  const volatile = table.volatile ?? [];
  const names = Object.keys(table.columns);
  const changes = names.map((name, index): Kind => {
    const n = index + 1;
    const value = isNumber(table, name) ? 1000 + n : `by hand ${n}`;
    const statement = `update ${table.name} set ${name} = ${literal(value)} where ${where(table, n)}`;
    const key = keyOf(table, n);
    if (volatile.includes(name)) return { what: `${name}, which does not count`, statement, found: [] };
    if (!table.key.includes(name)) return { what: name, statement, found: [['changed', key]] };
    const moved = table.key.map((one, at) => (one === name ? value : (key[at] ?? '')));
    return {
      what: `${name} of the key`,
      statement,
      found: [
        ['removed', key],
        ['added', moved],
      ],
    };
  });
  const nullable = names.find((name) => !/not null/.test(table.columns[name] ?? '') && !volatile.includes(name));
  const n = names.length;
  const added = insert(table, most + 1);
  return [
    ...changes,
    ...(nullable === undefined
      ? []
      : [
          {
            what: `${nullable} taken away`,
            statement: `update ${table.name} set ${nullable} = null where ${where(table, n + 1)}`,
            found: [['changed', keyOf(table, n + 1)] as const],
          },
        ]),
    {
      what: 'a row taken away',
      statement: `delete from ${table.name} where ${where(table, n + 2)}`,
      found: [['removed', keyOf(table, n + 2)]],
    },
    {
      what: 'a row put in',
      statement: added.sql.replaceAll(/:(\w+)/g, (_, name: string) => literal(added.args[name] ?? null)),
      found: [['added', keyOf(table, most + 1)]],
    },
  ];
}

/** What every database must let `verifyStore` see. */
export function verifyContract(name: string, makeLocation: () => Promise<Place>): void {
  describe(`changes by hand in the tables of the product on ${name}`, () => {
    const followed = productTables.filter((table) => table.volatile !== 'all');
    const most = Math.max(...productTables.map(({ columns }) => Object.keys(columns).length)) + 2;
    let place: Place;
    let store: Store;

    beforeAll(async () => {
      place = await makeLocation();
      store = await openStore(place.location, { tables: productTables });
      const rows = Array.from({ length: most }, (_, index) => index + 1);
      for (const table of productTables)
        await store.commit(
          rows.map((n) => insert(table, n)),
          [entry(table.name), entry(table.name)],
        );
    });
    afterAll(async () => {
      await store.close();
      await place.drop();
    });

    it('are of many kinds, and none is there yet', async () => {
      expect(followed.map((table) => table.name).toSorted()).toEqual(deciding.toSorted());
      const kinds = followed.flatMap((table) => kindsOf(table, most)).filter((kind) => kind.found.length > 0);
      expect(kinds.length).toBeGreaterThan(250);
      expect(await verifyStore(store, productTables)).toMatchObject({
        faults: [],
        entries: 2 * productTables.length,
        rows: most * followed.length,
      });
    });

    it.each(followed.map((table) => [table.name, table] as const))(
      `${row('journal.rows')} of %s are all found`,
      async (_, table) => {
        const kinds = kindsOf(table, most);
        await byHand(place.location, ...kinds.map(({ statement }) => statement));
        const found = foundIn(table.name, await verifyStore(store, [table]));
        for (const { what, found: expected } of kinds)
          expect(found, what).toEqual(expect.arrayContaining([...expected]));
        expect(found).toHaveLength(kinds.flatMap((kind) => kind.found).length);
      },
    );

    it('are all counted, and shown up to a number that can be read', async () => {
      await byHand(place.location, ...followed.map((table) => `delete from ${table.name}`));
      const { faults, faultCount } = await verifyStore(store, productTables);
      expect(faultCount).toBe(followed.length * most);
      expect(faults).toHaveLength(200);
    });

    it(`${row('journal.caches')} of a cache are not seen, and SECURITY.md lists every table and column of which that is true`, async () => {
      const caches = productTables.filter((table) => table.volatile === 'all');
      const alter = ({ name: table, columns, key }: Table) => {
        const other = Object.keys(columns).find(
          (column) => !key.includes(column) && columns[column]?.startsWith('text'),
        );
        return [...(other === undefined ? [] : [`update ${table} set ${other} = 'by hand'`]), `delete from ${table}`];
      };
      await byHand(place.location, ...caches.flatMap(alter));
      expect((await verifyStore(store, caches)).faults).toEqual([]);
      const unseen = [...productTables, ...storeTables].flatMap(({ name: table, volatile = [] }) =>
        volatile === 'all' ? [table] : volatile.map((column) => `${table}.${column}`),
      );
      for (const page of ['SECURITY.md', 'docs/ja/security.md']) {
        const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
        const [, attack = ''] = /^\| `journal\.caches` \| (.*?) \|/m.exec(text) ?? [];
        expect([...attack.matchAll(/`([^`]+)`/g)].map((match) => match[1]).toSorted()).toEqual(unseen.toSorted());
      }
    });
  });

  describe(`the journal on ${name}`, () => {
    let place: Place;
    let store: Store;

    /** Ten rows: the odd ones up to nine changed nothing, and the tenth changed three boxes. */
    beforeAll(async () => {
      place = await makeLocation();
      store = await openStore(place.location, { tables: boxTables });
      await store.commit([], [entry('opened')]);
      for (const id of ['a', 'b', 'c', 'd']) await store.commit([put(id)], [entry(id), entry(`${id} too`)]);
      await store.commit([put('e'), move('a', 0), { sql: `delete from box where id = 'b'`, args: {} }], [entry('e')]);
      await byHand(
        place.location,
        'create table kept_journal as select * from journal',
        'create table kept_head as select * from sekisho_head',
        'create table kept_box as select * from box',
      );
    });
    afterAll(async () => {
      await store.close();
      await place.drop();
    });

    const undo = ['journal', 'sekisho_head', 'box'].flatMap((table) => [
      `delete from ${table}`,
      `insert into ${table} select * from kept_${table.replace('sekisho_', '')}`,
    ]);
    const last = 10;
    const texts = ['project', 'at', 'actor', 'subject', 'kind', 'salt', 'leaf'];
    const columns = 'project, at, actor, subject, kind, data, changes, salt, leaf, link';
    const cases: readonly (readonly [string, readonly string[], object])[] = [
      ...texts.map(
        (column) =>
          [
            `the ${column} of a row`,
            [`update journal set ${column} = 'by hand' where seq = 4`],
            { table: 'journal', key: [4], damage: 'changed' },
          ] as const,
      ),
      [
        'the data of a row',
        [`update journal set data = '{"by":"hand"}' where seq = 4`],
        { key: [4], damage: 'changed' },
      ],
      ['what a row changed', [`update journal set changes = '[]' where seq = 4`], { key: [4], damage: 'changed' }],
      ['a list that is none', [`update journal set changes = '[' where seq = 4`], { key: [4], damage: 'changed' }],
      [
        'a commit undone, its changes hidden behind another comma than theirs',
        [
          `update journal set data = data || ',' || substr(changes, 1, 7), changes = substr(changes, 9) where seq = ${last}`,
          `delete from box where id = 'e'`,
          `update box set revision = 0 where id = 'a'`,
          `insert into box (id, revision, owner) values ('b', 0, 'nobody')`,
        ],
        { table: 'journal', key: [last], damage: 'changed' },
      ],
      [
        'rows put in before the first',
        [`insert into journal (seq, ${columns}) select -seq, ${columns} from journal where seq in (3, 4)`],
        { table: 'journal', key: [-4], damage: 'added' },
      ],
      [
        'a row put in at 0',
        [`insert into journal (seq, ${columns}) select 0, ${columns} from journal where seq = 3`],
        { table: 'journal', key: [0], damage: 'added' },
      ],
      ['the link of a row', [`update journal set link = leaf where seq = 4`], { key: [4], damage: 'changed' }],
      ['the link of the last row', [`update journal set link = leaf where seq = ${last}`], { damage: 'changed' }],
      ['the first row taken away', ['delete from journal where seq = 1'], { key: [1], damage: 'removed' }],
      ['a row taken away', ['delete from journal where seq = 5'], { key: [5], damage: 'removed' }],
      ['rows taken away', ['delete from journal where seq in (5, 6)'], { key: [5], damage: 'removed' }],
      ['the last row taken away', [`delete from journal where seq = ${last}`], { key: [last], damage: 'removed' }],
      ['all rows taken away', ['delete from journal'], { key: [1], damage: 'removed' }],
      [
        'a row put in at the end',
        [`insert into journal (seq, ${columns}) select 11, ${columns} from journal where seq = 3`],
        { key: [11], damage: 'changed' },
      ],
      [
        'a row put in far away',
        [`insert into journal (seq, ${columns}) select 2000, ${columns} from journal where seq = 3`],
        { key: [11], damage: 'removed' },
      ],
      ['a row moved to the end', ['update journal set seq = 11 where seq = 3'], { key: [3], damage: 'removed' }],
      [
        'two rows that changed places',
        [
          'update journal set seq = 99 where seq = 4',
          'update journal set seq = 4 where seq = 6',
          'update journal set seq = 6 where seq = 99',
        ],
        { key: [4], damage: 'changed' },
      ],
      [
        'a row taken away and the others moved up',
        [
          'delete from journal where seq = 5',
          ...[6, 7, 8, 9, 10].map((seq) => `update journal set seq = ${seq - 1} where seq = ${seq}`),
          'update sekisho_head set seq = 9',
        ],
        { key: [5], damage: 'changed' },
      ],
      [
        'a row in place of another, its leaf fitting it',
        [
          `update journal set ${columns
            .split(', ')
            .filter((one) => one !== 'link')
            .map((one) => `${one} = (select ${one} from kept_journal where seq = 2)`)
            .join(', ')} where seq = 4`,
        ],
        { key: [4], damage: 'changed' },
      ],
      ['the number of the head', ['update sekisho_head set seq = 12'], { key: [11], damage: 'removed' }],
      ['the number of the head set back', ['update sekisho_head set seq = 9'], { key: [10], damage: 'added' }],
      [
        'the link of the head',
        [`update sekisho_head set link = 'by hand'`],
        { table: 'sekisho_head', damage: 'changed' },
      ],
      ['the head itself', ['delete from sekisho_head'], { key: [1], damage: 'added' }],
      [
        'the end cut off, and the head set back, but not what it had changed',
        [
          `delete from journal where seq = ${last}`,
          'update sekisho_head set seq = 9, link = (select link from journal where seq = 9)',
        ],
        { table: 'box', key: ['a'], damage: 'changed' },
      ],
    ];

    it.each(cases)('shows %s', async (_, statements, fault) => {
      expect((await verifyStore(store, boxTables)).faults).toEqual([]);
      await byHand(place.location, ...statements);
      const { faults } = await verifyStore(store, boxTables);
      await byHand(place.location, ...undo);
      expect(faults[0]).toMatchObject(fault);
    });

    it(`${row('journal.cut')} needs a link that was kept elsewhere to show an end that was cut off with all it had changed`, async () => {
      const { head } = await verifyStore(store, boxTables);
      expect(await verifyStore(store, boxTables, head)).toMatchObject({ headFound: true, faults: [] });
      await byHand(
        place.location,
        `delete from journal where seq = ${last}`,
        'update sekisho_head set seq = 9, link = (select link from journal where seq = 9)',
        `delete from box where id = 'e'`,
        `update box set revision = 0 where id = 'a'`,
        `insert into box (id, revision, owner) values ('b', 0, 'nobody')`,
      );
      const cut = await verifyStore(store, boxTables, head);
      await byHand(place.location, ...undo);
      expect(cut).toMatchObject({ headFound: false, faults: [] });
    });

    it('knows a row by what the database made of it', async () => {
      const sql = 'insert into box (id, revision, owner) values (:id, :revision, :owner)';
      const odd: readonly (readonly [revision: Value, owner: Value])[] = [
        [7, 'plain'],
        ['007', 'a text for a number'],
        [1, 12],
        [2, 'half of a pair: \uD800'],
      ];
      const other = await makeLocation();
      const fresh = await openStore(other.location, { tables: boxTables });
      for (const [index, [revision, owner]] of odd.entries())
        await fresh.commit([{ sql, args: { id: `b${index}`, revision, owner }, rows: 1 }], [entry('odd')]);
      expect(await verifyStore(fresh, boxTables)).toMatchObject({ faults: [], rows: odd.length });
      await fresh.close();
      await other.drop();
    });

    it('lists what a commit changed on its first row, and the newest state of each row counts', async () => {
      const [rows = []] = await store.read([
        { sql: 'select seq, changes, leaf, link from journal order by seq', args: {} },
      ]);
      const changes = rows.map((row) => JSON.parse(String(row['changes'])) as readonly [string, string[], string][]);
      const named = changes.map((list) => list.map(([table, key, digest]) => [table, key, digest === null]));
      expect(named.slice(0, 3)).toEqual([[], [['box', ['a'], false]], []]);
      expect(named.at(-1)).toEqual([
        ['box', ['e'], false],
        ['box', ['a'], false],
        ['box', ['b'], true],
      ]);
      for (const [index, row] of rows.entries())
        expect(row['link']).toBe(linkOf(String(rows[index - 1]?.['link'] ?? '0'.repeat(64)), String(row['leaf'])));
    });

    it('is as it was written while four write, whenever one looks', async () => {
      const busy = await makeLocation();
      const writers = await Promise.all(
        Array.from({ length: 4 }, () => openStore(busy.location, { tables: boxTables })),
      );
      let writing = true;
      const work = writers.map(async (writer, w) => {
        for (let n = 0; writing; n += 1) {
          const id = `${w}-${n}`;
          await writer.commit([put(id), move(id, 0)], [entry(id), entry(id)]);
          await writer.commit([move(`${(w + 1) % 4}-${n - 3}`, 1)], [entry(id)]);
          if (n % 3 === 0) await writer.commit([{ sql: 'delete from box where id = :id', args: { id } }], [entry(id)]);
        }
      });
      const looker = await openStore(busy.location, { tables: boxTables });
      const looks: Verification[] = [];
      while ((await looker.head()) < 1200) looks.push(await verifyStore(looker, boxTables));
      writing = false;
      await Promise.all(work);
      looks.push(await verifyStore(looker, boxTables));
      expect(looks.flatMap((one) => one.faults)).toEqual([]);
      expect(looks.at(-1)?.entries).toBe(await looker.head());
      await Promise.all([...writers, looker].map((each) => each.close()));
      await busy.drop();
    });
  });
}
