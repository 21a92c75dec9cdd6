import { problem } from '../kernel/problem.ts';
import { text } from '../kernel/store/row.ts';
import type { Store } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';
import { tables } from './tables.ts';

const whole = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const beginning = /^[0-9a-f-]*$/;
const digitsAlone = /^[0-9a-f][0-9a-f-]{3,}$/;
const shown = 5;

/** The id prefix of each field, for ids that are typed without it. */
const kinds: Readonly<Record<string, string>> = {
  run_id: 'run-',
  task_id: 'tsk_',
  parent_id: 'tsk_',
  project_id: 'prj_',
  handoff_id: 'hnd_',
  execution_id: 'exec_',
};

/** Expands abbreviated ids in an input. A text that matches nothing stays as it is: the operation reports it. */
export async function expandIdPrefixes(
  store: () => Promise<Store>,
  input: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const entries = await Promise.all(
    Object.entries(input).map(async ([field, value]) => {
      const one = (given: unknown) =>
        typeof given === 'string' && /_ids?$/.test(field) ? expandIdPrefix(store, given, kinds[field]) : given;
      return [field, Array.isArray(value) ? await Promise.all(value.map(one)) : await one(value)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

/** Expands the beginning of an id, if it matches only one. */
export async function expandIdPrefix(store: () => Promise<Store>, given: string, kind?: string): Promise<string> {
  const table = tables.find(
    ({ ids }) => ids !== undefined && (given.startsWith(ids) || (ids === kind && digitsAlone.test(given))),
  );
  if (table?.ids === undefined) return given;
  const digits = given.startsWith(table.ids) ? given.slice(table.ids.length) : given;
  if (whole.test(digits)) return `${table.ids}${digits}`;
  if (!beginning.test(digits)) return given;
  const found = await find(await store(), table, `${table.ids}${digits}`);
  if (found.length > 1) throw problem.ID_AMBIGUOUS({ prefix: given, ids: found }, { ids: found });
  return found[0] ?? given;
}

async function find(store: Store, table: Table, prefix: string): Promise<readonly string[]> {
  const [rows = []] = await store.read([
    {
      sql: `select id from ${table.name} where substr(id, 1, :length) = :prefix order by id desc limit :shown`,
      args: { prefix, length: prefix.length, shown },
    },
  ]);
  return rows.map((row) => text(row, 'id'));
}
