import type { Query, Row, Store } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import { countedColumns, firstLink, leafOf, linkOf, rowDigest } from './chain.ts';
import { headQuery } from './schema.ts';
import type { Change } from './write-target.ts';
import type { Words } from '../kernel/text/text.ts';
import { verifyText } from './verify-text.ts';

/** A row that is not as it was written. */
export interface Fault {
  readonly table: string;
  readonly key: readonly (string | number)[];
  readonly damage: 'changed' | 'added' | 'removed';
  readonly detail: Words;
}

export interface Verification {
  /** The number of journal rows. */
  readonly entries: number;
  /** The number of table rows that were compared. */
  readonly rows: number;
  /** The newest link. */
  readonly head: string;
  /** False if the given link is not in the journal. */
  readonly headFound: boolean;
  /** The faults in the order in which they were found; beyond `mostFaults` they are only counted. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
}

const pageSize = 500;
const mostFaults = 200;

/**
 * Walks the whole journal, then compares every row with its last digest in the journal. It keeps one digest per row in memory.
 * It can run while others write: each page is compared with the journal as of that page's snapshot.
 * It cannot detect a tail that was cut off together with its changes, or a history that was rewritten as a whole: both need a
 * link that was saved elsewhere (`head`).
 */
export async function verifyStore(store: Store, tables: readonly Table[], head?: string): Promise<Verification> {
  const found = collectFaults();
  const walk = createWalk(store, found.report, head);
  await checkStart(store, found.report);
  await walk.through(Number.POSITIVE_INFINITY);
  await checkHead(store, walk, found.report);
  let rows = 0;
  for (const table of tables) if (table.volatile !== 'all') rows += await compare(store, table, walk, found.report);
  const { entries, link, found: headFound } = walk.chain;
  return { entries, rows, head: link, headFound, faults: found.faults, faultCount: found.count };
}

export type Report = (table: string, key: Fault['key'], damage: Fault['damage'], detail: Words) => void;
type Digests = Map<string, string>;

/** Collects faults: the first ones in full, then only their number. */
export function collectFaults() {
  const report: Report = (table, key, damage, detail) => {
    found.count += 1;
    if (found.faults.length < mostFaults) found.faults.push({ table, key, damage, detail });
  };
  const found = { faults: [] as Fault[], count: 0, report };
  return found;
}

/** A check of the journal's rows in order: each must follow from the one before. */
export function createChainCheck(report: Report, wanted?: string) {
  const known = new Map<string, Digests>();
  const chain = { entries: 0, seq: 0, link: firstLink, found: wanted === undefined, check, digests };

  /** The digests of a table's rows by key, as of the entries checked so far. */
  function digests(table: string): Digests {
    const there = known.get(table) ?? new Map<string, string>();
    known.set(table, there);
    return there;
  }

  function check(row: Row): void {
    const number = Number(row['seq']);
    const next = chain.seq + 1;
    if (number !== next) report('journal', [next], 'removed', verifyText.missing(next, number - 1));
    const leaf = leafOf(
      {
        project: text(row, 'project'),
        at: text(row, 'at'),
        actor: text(row, 'actor'),
        subject: text(row, 'subject'),
        kind: text(row, 'kind'),
        data: text(row, 'data'),
        salt: text(row, 'salt'),
      },
      text(row, 'changes'),
    );
    const changes = changesOf(row);
    if (leaf !== row['leaf'] || changes === undefined) report('journal', [number], 'changed', verifyText.leaf);
    else if (number === next && linkOf(chain.link, leaf) !== row['link'])
      report('journal', [number], 'changed', verifyText.chain);
    chain.seq = number;
    chain.link = text(row, 'link');
    chain.entries += 1;
    chain.found ||= chain.link === wanted;
    for (const [table, key, digest] of changes ?? []) {
      if (digest === null) digests(table).delete(JSON.stringify(key));
      else digests(table).set(JSON.stringify(key), digest);
    }
  }

  return chain;
}

type Walk = ReturnType<typeof createWalk>;

function createWalk(store: Store, report: Report, wanted: string | undefined) {
  const chain = createChainCheck(report, wanted);
  return {
    chain,
    /** Continues to read the journal, up to this number. */
    async through(until: number): Promise<void> {
      while (chain.seq < until) {
        const [page = []] = await store.read([
          {
            sql: `select seq, project, at, actor, subject, kind, data, changes, salt, leaf, link from journal
              where seq > :seq and seq <= :until order by seq limit :limit`,
            args: { seq: chain.seq, until: Math.min(until, Number.MAX_SAFE_INTEGER), limit: pageSize },
          },
        ]);
        page.forEach((row) => chain.check(row));
        if (page.length < pageSize) return;
      }
    },
  };
}

/** Reports rows before number 1, with which the walk begins. */
async function checkStart(store: Store, report: Report): Promise<void> {
  const [rows = []] = await store.read([
    { sql: 'select seq from journal where seq < 1 order by seq limit :limit', args: { limit: mostFaults } },
  ]);
  for (const row of rows) report('journal', [Number(row['seq'])], 'added', verifyText.added);
}

async function checkHead(store: Store, walk: Walk, report: Report): Promise<void> {
  const [[head] = [], [last] = []] = await store.read([
    headQuery,
    { sql: 'select seq, link from journal order by seq desc limit 1', args: {} },
  ]);
  await walk.through(Number(last?.['seq'] ?? 0));
  const [seq, newest] = [Number(head?.['seq'] ?? 0), Number(last?.['seq'] ?? 0)];
  if (seq > newest) report('journal', [newest + 1], 'removed', verifyText.missing(newest + 1, seq));
  else if (seq < newest) report('journal', [seq + 1], 'added', verifyText.beyondHead(seq));
  else if ((head?.['link'] ?? firstLink) !== (last?.['link'] ?? firstLink))
    report('sekisho_head', [1], 'changed', verifyText.head);
}

/** Compares a table page by page, then each row that is in the journal but was on no page. Returns the number of rows. */
async function compare(store: Store, table: Table, walk: Walk, report: Report): Promise<number> {
  const digests = walk.chain.digests(table.name);
  const seen = new Set<string>();
  /** Reads rows, and brings the digests to the state of the same snapshot. */
  const look = async (query: Query): Promise<readonly Row[]> => {
    const [rows = [], [head] = []] = await store.read([query, headQuery]);
    await walk.through(Number(head?.['seq'] ?? 0));
    return rows;
  };
  for (let last: Row | undefined; ;) {
    const page = await look(pageQuery(table, last));
    for (const row of page) {
      const key = keyOf(table, row);
      seen.add(JSON.stringify(key));
      checkRow(table, row, digests.get(JSON.stringify(key)), report);
    }
    last = page.at(-1);
    if (page.length < pageSize) break;
  }
  for (const name of [...digests.keys()].filter((one) => !seen.has(one))) {
    const key = JSON.parse(name) as Fault['key'];
    const [row] = await look(rowQuery(table, key));
    const digest = digests.get(name);
    if (row !== undefined) checkRow(table, row, digest, report);
    else if (digest !== undefined) report(table.name, key, 'removed', verifyText.removed);
  }
  return seen.size;
}

export function checkRow(table: Table, row: Row, expected: string | undefined, report: Report): void {
  const key = keyOf(table, row);
  if (expected === undefined) return report(table.name, key, 'added', verifyText.added);
  const digest = rowDigest(countedColumns(table), (name) => row[name] ?? null);
  if (digest !== expected) report(table.name, key, 'changed', verifyText.changed);
}

/** The columns to compare, all as text: a number that the driver cannot read must not stop the check. */
function columnsOf(table: Table): string {
  return countedColumns(table)
    .map(({ name }) => `cast(${name} as text) as ${name}`)
    .join(', ');
}

const isNumber = (table: Table, column: string): boolean => table.columns[column]?.startsWith('bigint') === true;

/** The placeholder of a key column, whose value is given as text. */
function placeOf(table: Table, column: string): string {
  return `cast(:${column} as ${isNumber(table, column) ? 'bigint' : 'text'})`;
}

function pageQuery(table: Table, last: Row | undefined): Query {
  const key = table.key.map((name) => `${table.name}.${name}`).join(', ');
  const beyond =
    last === undefined ? '' : `where (${key}) > (${table.key.map((name) => placeOf(table, name)).join(', ')})`;
  return {
    sql: `select ${columnsOf(table)} from ${table.name} ${beyond} order by ${key} limit :page_size`,
    args: {
      page_size: pageSize,
      ...(last !== undefined && Object.fromEntries(table.key.map((name) => [name, last[name] ?? null]))),
    },
  };
}

function rowQuery(table: Table, key: Fault['key']): Query {
  const conditions = table.key.map((name) => `${table.name}.${name} = ${placeOf(table, name)}`);
  return {
    sql: `select ${columnsOf(table)} from ${table.name} where ${conditions.join(' and ')}`,
    args: Object.fromEntries(table.key.map((name, index) => [name, String(key[index])])),
  };
}

export function keyOf(table: Table, row: Row): Fault['key'] {
  return table.key.map((name) => (isNumber(table, name) ? Number(row[name]) : text(row, name)));
}

/**
 * The changes of a journal row; undefined if `data` is not JSON or `changes` not a list of changes. A leaf covers the two texts
 * joined by a comma, so moving text across that comma would not change it; but only at one comma are both sides JSON.
 */
function changesOf(row: Row): readonly Change[] | undefined {
  try {
    JSON.parse(text(row, 'data'));
    const changes: unknown = JSON.parse(text(row, 'changes'));
    return Array.isArray(changes) && changes.every(isChange) ? changes : undefined;
  } catch {
    return undefined;
  }
}

function isChange(one: unknown): one is Change {
  if (!Array.isArray(one) || one.length !== 3) return false;
  const [table, key, digest] = one as readonly unknown[];
  return typeof table === 'string' && Array.isArray(key) && (typeof digest === 'string' || digest === null);
}

function text(row: Row, column: string): string {
  return String(row[column]);
}
