import { rmSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { World } from '../e2e/world.ts';
import { inOneWorld } from '../e2e/world.ts';
import { row } from '../setup/security.ts';

/** The ids of a person's tokens, the oldest first. */
async function tokensOf(world: World, identity: string): Promise<readonly string[]> {
  const { tokens } = (await world.person(['token', 'list', '--json'])).json as {
    tokens: readonly { id: string; identity: string }[];
  };
  return tokens.filter((one) => one.identity === identity).map((one) => one.id);
}

describe('a person', () => {
  inOneWorld('http', 'sqlite', (test) => {
    test(`${row('people.revoked')} whose token was revoked is out, also where user.db-shm was removed under the daemon`, async ({
      world,
    }) => {
      const { userDatabase } = world.place.data;
      const daemon = await world.daemon();
      const { json } = await world.person(['admin', 'add-person', 'ann', '--json']);
      const ask = async (url: string) => {
        const headers = { Authorization: `Bearer ${String(json['token'])}`, 'Content-Type': 'application/json' };
        const api = await fetch(`${url}/api/list_roots`, { method: 'POST', headers, body: '{}' });
        const mcp = await fetch(`${url}/mcp`, { method: 'POST', headers, body: '{}' });
        return { api: api.status, mcp: mcp.status, text: `${await api.text()} ${await mcp.text()}` };
      };
      expect(await ask(daemon.url)).toMatchObject({ api: 200, mcp: 400 });
      rmSync(`${userDatabase}-shm`);
      const [id = ''] = await tokensOf(world, 'person:ann');
      expect((await world.person(['token', 'revoke', id])).code).toBe(0);
      const refused = await ask(daemon.url);
      expect(refused).toMatchObject({ api: 503, mcp: 503 });
      expect(refused.text).toMatch(
        /STORE_REMOVED.*user\.db-shm was removed.*sekisho down and sekisho up.*user\.db-shm/s,
      );
      // What the revocation wrote is not lost when the daemon ends.
      expect((await world.person(['down'])).code).toBe(0);
      const up = await world.person(['up', '--background', '--port', '0', '--json']);
      expect(await ask(String(up.json['url']))).toMatchObject({ api: 401, mcp: 401 });
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({ ok: true });
    });
  });
});
