import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createJournalWatch } from '../../src/app/journal-watch.ts';
import type { Log } from '../../src/kernel/context.ts';
import { openStore } from '../../src/store/open.ts';
import { entry, tables } from '../contract/box.ts';
import { until } from '../setup/until.ts';

const quiet: Log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} };

test('whoever could not be told that it watches is told nothing, and the next one everything', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-watch-'));
  const store = await openStore(join(folder, 'a.db'), { tables });
  const stop = new AbortController();
  onTestFinished(async () => {
    stop.abort();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  let isAway = true;
  const open = async () => {
    if (isAway) throw new Error('the database is away');
    return store;
  };
  const watch = createJournalWatch(open, quiet, stop.signal);
  const told: string[] = [];
  await expect(watch(({ subject }) => told.push(`first: ${subject}`))).rejects.toThrow('away');
  isAway = false;
  await watch(({ subject }) => told.push(`second: ${subject}`));
  await store.commit([], [entry('here')]);
  await until('somebody is told', () => told.length > 0);
  expect(told).toEqual(['second: here']);
});
