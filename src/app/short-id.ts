import { problem } from '../kernel/problem.ts';
import { text } from '../kernel/store/row.ts';
import type { Query, Store } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import { idsIn } from '../surface/terminal/cell.ts';
import { tables } from './tables.ts';

const whole = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const beginning = /^[0-9a-f-]*$/;
const digitsAlone = /^[0-9a-f][0-9a-f-]{3,}$/;
/** A task's number, which the operation understands. Our ids begin with a zero. */
const taskNumber = /^[1-9]\d*$/;
/** The number of ids that an ambiguous one is shown with. */
const shown = 5;
/** The part of our ids that is the time of their making, to the millisecond: two are rarely alike in it. */
const timeLength = 13;
/** The last group of our ids is random. Of ids that were made together, its beginning differs. */
const randomAt = 24;
const randomLength = 8;
/** The random part, or its beginning. */
const random = /^[0-9a-f]{1,12}$/;
/** It sorts after every digit: what begins with `ab` is between `ab` and `abg`. The key of the table finds that range. */
const afterDigits = 'g';
/** The number of ids that one statement looks for. */
const most = 500;

/** The id prefix of each field, for ids that are typed without it. */
const kinds: Readonly<Record<string, string>> = {
  run_id: 'run-',
  task_id: 'tsk_',
  parent_id: 'tsk_',
  project_id: 'prj_',
  handoff_id: 'hnd_',
  execution_id: 'exec_',
};

/** The fields that name something by its id. */
const named = /(?:_id|Id|_on|subject)s?$/;

/** Expands short ids in an input. A text that matches nothing stays as it is: the operation reports it. */
export async function expandIds(
  store: () => Promise<Store>,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const entries = await Promise.all(
    Object.entries(input).map(async ([field, value]) => {
      const one = (given: unknown) =>
        typeof given === 'string' && named.test(field) ? expandId(store, given, kinds[field]) : given;
      return [field, Array.isArray(value) ? await Promise.all(value.map(one)) : await one(value)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Expands the beginning of an id, or of its random part, if it matches only one. */
export async function expandId(store: () => Promise<Store>, given: string, kind?: string): Promise<string> {
  const table = tables.find(
    ({ ids }) => ids !== undefined && (given.startsWith(ids) || (ids === kind && digitsAlone.test(given))),
  );
  if (table?.ids === undefined || (kind === 'tsk_' && taskNumber.test(given))) return given;
  const digits = given.startsWith(table.ids) ? given.slice(table.ids.length) : given;
  if (whole.test(digits)) return `${table.ids}${digits}`;
  if (!beginning.test(digits)) return given;
  const length = digits.length;
  const queries: Query[] = [
    {
      sql: `select id from ${table.name} where id >= :from and id < :to order by id desc limit ${shown}`,
      args: { from: `${table.ids}${digits}`, to: `${table.ids}${digits}${afterDigits}` },
    },
    {
      sql: `select id from ${table.name} where ${partAt(table.ids, randomAt, length)} = :digits order by id desc limit ${shown}`,
      args: { digits },
    },
  ];
  // The random part has no dash. To look for it reads every id of the table.
  const rows = await (await store()).read(random.test(digits) ? queries : queries.slice(0, 1));
  const found = [...new Set(rows.flat().map((row) => text(row, 'id')))].slice(0, shown);
  if (found.length > 1) throw problem.ID_AMBIGUOUS({ prefix: given, ids: found }, { ids: found });
  return found[0] ?? given;
}

/** Finds a short form of each id in a value: one that matches no other id in the store. */
export async function readShortIds(open: () => Promise<Store>, value: unknown): Promise<ReadonlyMap<string, string>> {
  const ids = idsIn(value);
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const store = await open();
  for (const table of tables) {
    const { ids: kind } = table;
    if (kind === undefined) continue;
    const own = ids.filter((one) => one.startsWith(kind) && whole.test(one.slice(kind.length)));
    await shorten(store, table, kind, own, 0, timeLength, found);
    const alike = own.filter((one) => !found.has(one));
    await shorten(store, table, kind, alike, randomAt, randomLength, found);
  }
  return found;
}

/** Adds the ids of which this part matches no other id. */
async function shorten(
  store: Store,
  { name }: Table,
  kind: string,
  ids: readonly string[],
  from: number,
  length: number,
  found: Map<string, string>,
): Promise<void> {
  const partOf = (id: string) => id.slice(kind.length + from, kind.length + from + length);
  const parts = [...new Set(ids.map(partOf))];
  const counts = new Map<string, number>();
  for (let at = 0; at < parts.length; at += most) {
    const args = Object.fromEntries(parts.slice(at, at + most).map((one, index) => [`d${index}`, one]));
    const marks = Object.keys(args).map((one) => `:${one}`);
    const queries: Query[] = [
      {
        sql: `with given (part) as (values ${marks.map((one) => `(${one})`).join(', ')})
          select part, (select count(*) from ${name}
            where id >= '${kind}' || part and id < '${kind}' || part || '${afterDigits}') as times from given`,
        args,
      },
    ];
    const part = partAt(kind, from, length);
    if (from === randomAt)
      queries.push({
        sql: `select ${part} as part, count(*) as times from ${name} where ${part} in (${marks.join(', ')}) group by 1`,
        args,
      });
    for (const row of (await store.read(queries)).flat())
      counts.set(text(row, 'part'), (counts.get(text(row, 'part')) ?? 0) + Number(row['times']));
  }
  for (const id of ids) if ((counts.get(partOf(id)) ?? 0) <= 1) found.set(id, `${kind}${partOf(id)}`);
}

/** The SQL of a part of an id, counted from after its prefix. */
function partAt(kind: string, from: number, length: number): string {
  return `substr(id, ${kind.length + from + 1}, ${length})`;
}
