import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Store } from '../../src/kernel/store/store.ts';
import { openStore } from '../../src/store/open.ts';
import { tables } from '../../src/upstream/tables.ts';
import { Activations } from '../../src/upstream/link/activation.ts';

const hour = 3600 * 1000;
const folder = mkdtempSync(join(tmpdir(), 'sekisho-activation-'));
let store: Store;
let time = Date.parse('2026-11-15T12:00:00Z');

beforeAll(async () => {
  store = await openStore(join(folder, 'sekisho.db'), { tables });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function client(era: 'legacy' | 'modern', connection: string, id = 'ann') {
  const context = {
    store,
    actor: { role: 'agent', id, verified: true, person: false },
    project: { key: '/p', root: '/p', home: '/p/.sekisho' },
    now: () => new Date(time),
  } as unknown as Context;
  return { context, connection, era };
}

test('without sessions an activation is found by another server, and by nobody else', async () => {
  const first = new Activations();
  const ann = client('modern', '["x","editor"]');
  expect(await first.has(ann, 'penpot')).toBe(false);
  await first.unlock(ann, 'penpot');
  expect(await first.has(ann, 'penpot')).toBe(true);
  const second = new Activations();
  expect(await second.has(ann, 'penpot')).toBe(true);
  expect(await second.has(ann, 'other')).toBe(false);
  expect(await second.has(client('modern', '["x","editor"]', 'bob'), 'penpot')).toBe(false);
  expect(await second.has(client('modern', '["x","shell"]'), 'penpot')).toBe(false);
});

test('it ends when it was not used for a day, and use keeps it', async () => {
  const server = new Activations();
  const eve = client('modern', '["x","editor"]', 'eve');
  await server.unlock(eve, 'penpot');
  for (let day = 0; day < 3; day++) {
    time += 20 * hour;
    expect(await server.has(eve, 'penpot')).toBe(true);
    const write = server.renew(eve, 'penpot');
    expect(write).toBeDefined();
    await store.commit([write!], [{ project: '/p', at: '', actor: '', subject: '', kind: 'test', data: '{}' }]);
    expect(server.renew(eve, 'penpot')).toBeUndefined();
  }
  time += 25 * hour;
  expect(await server.has(eve, 'penpot')).toBe(false);
  expect(await new Activations().has(eve, 'penpot')).toBe(false);
});

test('a connection of the 2025 era is never locked again', async () => {
  const server = new Activations();
  const session = client('legacy', 'session-1');
  await server.unlock(session, 'penpot');
  time += 100 * 24 * hour;
  expect(await server.has(session, 'penpot')).toBe(true);
  expect(await server.has(client('legacy', 'session-2'), 'penpot')).toBe(false);
});
