import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expandId, readShortIds } from '../../src/app/short-id.ts';
import type { Store } from '../../src/kernel/store/store.ts';
import { entry } from '../contract/box.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

const many = 10_000;
/** Every tenth id has a millisecond of its own; the others share one with eight more. */
const ids = Array.from({ length: many }, (_, index) => {
  const ms = 0x019a_0000_0000 + Math.floor(index / 10) * 2 + (index % 10 === 0 ? 1 : 0);
  const time = ms.toString(16).padStart(12, '0');
  const random = (Math.imul(index + 1, 0x9e37_79b1) >>> 0).toString(16).padStart(8, '0');
  return `prj_${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${random}0000`;
});

describe.each(databases)('short ids among 10,000 (%s)', (database) => {
  let bench: Bench;
  let store: Store;
  const open = async () => store;

  beforeAll(async () => {
    bench = await makeBench(database);
    ({ store } = await bench.context());
    for (let at = 0; at < many; at += 500) {
      const part = ids.slice(at, at + 500);
      const rows = part.map((_, index) => `(:d${index}, :d${index}, 'p', '/p', 'active', 0, 0, 'now', 'now')`);
      const sql = `insert into work_project (id, ord, name, working_directory, status, auto_start, plan, created_at, updated_at) values ${rows.join(', ')}`;
      const args = Object.fromEntries(part.map((one, index) => [`d${index}`, one]));
      await store.commit([{ sql, args }], [entry('projects')]);
    }
  }, 60_000);
  afterAll(() => bench.close());

  test('each of a long list has its own, and it leads back to the id', async () => {
    const shown = ids.slice(0, 1500);
    const short = await readShortIds(open, shown);
    expect(new Set(short.values()).size).toBe(shown.length);
    for (const id of shown.slice(0, 40)) expect(await expandId(open, short.get(id) ?? '')).toBe(id);
  });

  test('it is the time where the time is enough, else the beginning of the random part', async () => {
    const [alone = '', shared = ''] = ids;
    const short = await readShortIds(open, [alone, shared]);
    expect(short.get(alone)).toBe(alone.slice(0, 17));
    expect(short.get(shared)).toBe(`prj_${shared.slice(28, 36)}`);
  });

  test('a beginning of several ids is refused with five of them; of none, it stays', async () => {
    const [, shared = ''] = ids;
    await expect(expandId(open, shared.slice(0, 17))).rejects.toMatchObject({
      code: 'ID_AMBIGUOUS',
      details: { ids: ids.slice(1, 10).toSorted().toReversed().slice(0, 5) },
    });
    expect(await expandId(open, 'prj_ffffffff-f')).toBe('prj_ffffffff-f');
  });
});
