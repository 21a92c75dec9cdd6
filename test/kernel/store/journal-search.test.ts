import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchJournal } from '../../../src/kernel/store/journal-search.ts';
import type { Entry, Query, Store } from '../../../src/kernel/store/store.ts';
import { openStore } from '../../../src/store/open.ts';
import { entry, tables } from '../../contract/box.ts';

describe('a journal that is longer than one look', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-search-'));
  const lines = 45_000;
  let store: Store;

  beforeAll(async () => {
    store = await openStore(join(folder, 'long.db'), { tables });
    const line = (n: number): Entry => entry(`s${n % 7}`, n % 20_000 === 3 ? { animal: 'Zebra' } : {});
    for (let from = 0; from < lines; from += 15_000)
      await store.commit([], Array.from({ length: 15_000 }, (_, index) => line(from + index)) as [Entry, ...Entry[]]);
  });
  afterAll(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const stop = new AbortController();
  const seqs = async (excerpt: Parameters<typeof searchJournal>[1]) =>
    (await searchJournal({ store, signal: stop.signal }, excerpt)).map((row) => Number(row['seq']));

  test('is searched to its very beginning, newest first, and no further than wanted', async () => {
    expect(await seqs({ text: 'zebra', limit: 10 })).toEqual([40_004, 20_004, 4]);
    expect(await seqs({ text: 'zebra', limit: 2 })).toEqual([40_004, 20_004]);
    expect(await seqs({ text: 'zebra', before: 20_004, limit: 10 })).toEqual([4]);
    expect(await seqs({ text: 'lion', limit: 10 })).toEqual([]);
    expect(await seqs({ subject: 's3', actor: 'tester', limit: 2 })).toEqual([45_000, 44_993]);
    expect(await seqs({ limit: 2 })).toEqual([45_000, 44_999]);
  });

  test('lets others have their turn in between, and is left when nobody waits any more', async () => {
    const gone = new AbortController();
    let reads = 0;
    const counted = { ...store, read: (queries: readonly Query[]) => ((reads += 1), store.read(queries)) };
    const searching = searchJournal({ store: counted, signal: gone.signal }, { text: 'lion', limit: 10 });
    setImmediate(() => gone.abort());
    await searching;
    expect(reads).toBe(1);
  });
});

test('a capital letter outside of ASCII is found as it stands', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-search-'));
  const store = await openStore(join(folder, 'capital.db'), { tables });
  const stop = new AbortController();
  try {
    await store.commit([], [entry('Übung', { animal: 'Ärger_Zebra' }), entry('plain', { animal: 'arger zebra' })]);
    const found = async (excerpt: { text?: string; actor?: string }) =>
      (await searchJournal({ store, signal: stop.signal }, { ...excerpt, limit: 10 })).map((row) => row['subject']);
    for (const text of ['Ärger', 'ÄRGER', 'Übung', 'ÜBUNG', 'ger_ze'])
      expect(await found({ text }), text).toEqual(['Übung']);
    expect(await found({ text: 'ZEBRA' })).toEqual(['plain', 'Übung']);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
});
