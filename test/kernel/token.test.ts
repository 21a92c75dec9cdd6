import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Entry } from '../../src/kernel/store/store.ts';
import { makeToken, readToken, revokeWrite, tokenWrite } from '../../src/kernel/token.ts';
import { tables } from '../../src/app/tables.ts';
import { openStore } from '../../src/store/open.ts';

const at = '2026-01-01T00:00:00.000Z';
const row: Entry = { project: 'p', at, actor: 'human:ann', subject: 'token', kind: 'token.changed', data: '{}' };
const principal = { role: 'agent', identity: 'agt_ann', person: false };

/** Two connections, as two processes have them. */
async function twoStores() {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-token-'));
  const own = await openStore(join(folder, 'a.db'), { tables });
  const other = await openStore(join(folder, 'a.db'), { tables });
  onTestFinished(async () => {
    await own.close();
    await other.close();
    rmSync(folder, { recursive: true });
  });
  return { own, other };
}

test.each(['own', 'other'] as const)('a token that was revoked ends at once (by its %s process)', async (by) => {
  const stores = await twoStores();
  const token = makeToken();
  await stores.own.commit([tokenWrite(token, principal, 'daemon', at, null)], [row]);
  const read = (shown: string) => readToken(stores.own, shown, new Date(at));
  expect(await read(token)).toEqual(principal);
  await stores[by].commit([revokeWrite('daemon')], [row]);
  expect(await read(token)).toBeUndefined();
  await stores[by].commit([tokenWrite(token, principal, 'daemon', at, null)], [row]);
  expect(await read(token)).toEqual(principal);
});

test('a token ends at the very moment that was set', async () => {
  const { own } = await twoStores();
  const token = makeToken();
  const end = '2026-01-01T00:01:00.000Z';
  await own.commit([tokenWrite(token, principal, 'daemon', at, end)], [row]);
  expect(await readToken(own, token, new Date(Date.parse(end) - 1))).toEqual(principal);
  expect(await readToken(own, token, new Date(end))).toBeUndefined();
});
