import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { capacityQuery, capacityWrites } from '../../src/fleet/plan/capacity.ts';
import type { Context } from '../../src/kernel/context.ts';
import { entry } from '../../src/kernel/store/journal.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

describe.each(databases)('room for agents on %s', (database) => {
  let bench: Bench;
  let servers: readonly Context[];
  beforeAll(async () => {
    bench = await makeBench(database);
    servers = [await bench.context(), await bench.context()];
  });
  afterAll(() => bench.close());

  test('that two have counted at the same moment is taken by one of them, every time', async () => {
    for (const _ of [1, 2, 3]) {
      const counted = await Promise.all(servers.map(({ store }) => store.read([capacityQuery('here')])));
      const taken = await Promise.all(
        servers.map((server, index) =>
          server.store.commit(capacityWrites('here', counted[index]?.[0]?.[0]), [entry(server, 'here', 'test', {})]),
        ),
      );
      expect(taken.filter(({ done }) => done)).toHaveLength(1);
    }
  });
});
