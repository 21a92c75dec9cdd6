import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Entry, Store } from '../../src/kernel/store.ts';
import { makeToken, revokeWrite, tokenReader, tokenWrite } from '../../src/kernel/token.ts';
import { tables } from '../../src/app/tables.ts';
import { openStore } from '../../src/store/open.ts';

const at = '2026-01-01T00:00:00.000Z';
const row: Entry = { project: 'p', at, actor: 'human:ann', subject: 'token', kind: 'token.changed', data: '{}' };
const principal = { role: 'agent', identity: 'agt_ann', person: false };

/** Two connections, as two processes have them; the reads of the first are counted. */
async function twoStores() {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-token-'));
  const own = await openStore(join(folder, 'a.db'), { tables });
  const other = await openStore(join(folder, 'a.db'), { tables });
  onTestFinished(async () => {
    await own.close();
    await other.close();
    rmSync(folder, { recursive: true });
  });
  let reads = 0;
  const counting: Store = { ...own, read: (queries) => (reads++, own.read(queries)) };
  return { own: counting, other, reads: () => reads };
}

test('a token is read once, until somebody commits something', async () => {
  const { own, other, reads } = await twoStores();
  const token = makeToken();
  await own.commit([tokenWrite(token, principal, 'daemon', at, null)], [row]);
  const read = tokenReader(own, () => new Date(at));
  for (let n = 0; n < 5; n++) expect(await read(token)).toEqual(principal);
  expect(reads()).toBe(1);
  await other.commit([], [row]);
  for (let n = 0; n < 5; n++) expect(await read(token)).toEqual(principal);
  expect(reads()).toBe(2);
});

test.each(['own', 'other'] as const)('a token that was revoked ends at once (by its %s process)', async (by) => {
  const stores = await twoStores();
  const token = makeToken();
  await stores.own.commit([tokenWrite(token, principal, 'daemon', at, null)], [row]);
  const read = tokenReader(stores.own, () => new Date(at));
  expect(await read(token)).toEqual(principal);
  await stores[by].commit([revokeWrite('daemon')], [row]);
  expect(await read(token)).toBeUndefined();
  await stores[by].commit([tokenWrite(token, principal, 'daemon', at, null)], [row]);
  expect(await read(token)).toEqual(principal);
});

test('a token expires while it is remembered', async () => {
  const { own } = await twoStores();
  const token = makeToken();
  await own.commit([tokenWrite(token, principal, 'daemon', at, '2026-01-01T00:01:00.000Z')], [row]);
  let now = new Date(at);
  const read = tokenReader(own, () => now);
  expect(await read(token)).toEqual(principal);
  now = new Date('2026-01-01T00:01:00.000Z');
  expect(await read(token)).toBeUndefined();
});

test('a token that is believed is the same principal each time, with what its reader knows beside', async () => {
  const { own, other } = await twoStores();
  const token = makeToken();
  await own.commit([tokenWrite(token, principal, 'daemon', at, null)], [row]);
  const read = tokenReader(
    own,
    () => new Date(at),
    (found) => ({ ...found, person: true }),
  );
  const first = await read(token);
  expect(first).toEqual({ ...principal, person: true });
  expect(await read(token)).toBe(first);
  await other.commit([], [row]);
  expect(await read(token)).toEqual(first);
});

test('where the store cannot say whether something changed, every token is read', async () => {
  const { own, reads } = await twoStores();
  const token = makeToken();
  await own.commit([tokenWrite(token, principal, 'daemon', at, null)], [row]);
  const read = tokenReader({ ...own, version: () => undefined }, () => new Date(at));
  for (let n = 0; n < 3; n++) expect(await read(token)).toEqual(principal);
  expect(reads()).toBe(3);
});
