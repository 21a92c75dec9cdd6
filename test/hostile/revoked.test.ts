import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, expect } from 'vitest';
import { WebSocket } from 'ws';
import { openFoundStore } from '../../src/store/open-found.ts';
import { type SignedIn, callApi, makeLink, signIn, signInWith } from '../e2e/dashboard-world.ts';
import { envelope, initializeParams } from '../e2e/raw.ts';
import { atTerminal } from '../e2e/terminal.ts';
import { type World, inOneWorld } from '../e2e/world.ts';
import { row } from '../setup/security.ts';
import { until } from '../setup/until.ts';

const led = `id: led
version: "1"
initial_state: a
states: [{ name: a }, { name: b, is_final: true }]
events: [{ name: approve, allowed_roles: [lead] }]
transitions: [{ from: a, event: approve, to: b, guard: led }]
guards: { led: { type: approval, role: lead } }
roles: [{ name: lead, can_approve: true }, { name: agent }]
`;

/** The ids of a person's tokens, the oldest first. */
async function tokensOf(world: World, identity: string): Promise<readonly string[]> {
  const { tokens } = (await world.person(['token', 'list', '--json'])).json as {
    tokens: readonly { id: string; identity: string }[];
  };
  return tokens.filter((one) => one.identity === identity).map((one) => one.id);
}

interface OpenStream {
  /** How many changes it was told of. */
  told(): number;
  /** How it ended: the code of a WebSocket. */
  readonly ended: Promise<string>;
}

/** All that a token can hold open: a WebSocket, and a standing MCP stream of each era. */
async function openStreams(world: World, url: string, token: string): Promise<readonly OpenStream[]> {
  const query = `project=${encodeURIComponent(world.project)}`;
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const post = (body: object, more: Readonly<Record<string, string>>) =>
    fetch(`${url}/mcp?${query}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
  const opened = await post({ method: 'initialize', params: initializeParams('2025-11-25') }, {});
  const session = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' };
  const legacy = await fetch(`${url}/mcp?${query}`, { headers: { ...headers, ...session } });
  const listen = 'subscriptions/listen';
  const modern = await post(
    { method: listen, params: { notifications: { resourcesListChanged: true }, _meta: envelope } },
    { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': listen },
  );
  expect([legacy.status, modern.status]).toEqual([200, 200]);
  return [
    await watchSocket(`${url.replace('http', 'ws')}/ws?${query}`, token),
    watchStream(legacy),
    watchStream(modern),
  ];
}

async function watchSocket(address: string, token: string): Promise<OpenStream> {
  const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });
  let told = -1; // The first message is the snapshot.
  socket.on('message', () => (told += 1));
  await once(socket, 'message');
  const ended = once(socket, 'close').then(([code]) => String(code));
  return { told: () => told, ended };
}

function watchStream(response: Response): OpenStream {
  let text = '';
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body as ReadableStream<Uint8Array>) text += decoder.decode(chunk);
    return 'done';
  };
  return { told: () => text.split('list_changed').length - 1, ended: read().catch(String) };
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

    test(`${row('people.revoked')} who was removed is out at once, and what they approved stays`, async ({ world }) => {
      const { url } = await world.daemon();
      const { json } = await world.person(['admin', 'add-person', 'ann', '--json']);
      const token = String(json['token']);
      world.write('.sekisho/processes/led.yaml', led);
      const run = (await world.call('state_gate.create_run', { process_id: 'led' })).value['run_id'] as string;
      const line = `gate emit-event --run-id ${run} --event-name approve --expected-revision 0 --idempotency-key k --json`;
      const approved = await world.cli(line.split(' '), { env: { SEKISHO_TOKEN: token, SEKISHO_ROLE: 'lead' } });
      expect(approved.json).toMatchObject({ success: true });
      const ann = await signIn(world, ['--person', 'ann']);
      const spare = await makeLink(world, ['--person', 'ann']);
      const ask = async () => [
        (await callApi(ann, 'get_session')).status,
        (await fetch(`${url}/mcp`, { headers: { Authorization: `Bearer ${token}` } })).status,
        (await world.cli(['token', 'list', '--json'], { env: { SEKISHO_TOKEN: token } })).code,
      ];
      expect(await ask()).toEqual([200, 400, 0]);
      const no = await atTerminal(world, ['admin', 'remove-person', 'ann'], { answers: { '[y/N]': 'n' } });
      expect([no.code, no.text]).toEqual([1, expect.stringMatching(/1 token and 1 browser session end at once/)]);
      expect(await ask()).toEqual([200, 400, 0]);
      const yes = await world.person(['admin', 'remove-person', 'ann', '--json']);
      expect(yes.json).toEqual({ removed: 'ann', tokens_ended: 1, sessions_ended: 1 });
      expect(await ask()).toEqual([401, 401, 1]);
      expect((await signInWith(spare)).body).toMatchObject({ code: 'LINK_SPENT' });
      for (const line of [
        ['admin', 'remove-person', 'ann'],
        ['token', 'create', '--person', 'ann'],
        ['open', '--print', '--person', 'ann'],
      ])
        expect((await world.person(line)).stderr).toContain('There is no person "ann"');
      const { value } = await world.call('state_gate.get_history', { run_id: run });
      expect(JSON.stringify(value['events'].at(-1))).toContain('person:ann');
      expect((await world.cli(['journal', 'verify', '--json'])).json).toMatchObject({ ok: true });
      const store = await openFoundStore(world.place.data.userDatabase);
      const [rows = []] = await store.read([
        { sql: `select actor, subject, data from journal where kind = 'person.removed'`, args: {} },
      ]);
      await store.close();
      expect(rows).toMatchObject([{ actor: expect.stringMatching(/^human:os:/) as string, subject: 'person:ann' }]);
    });

    test(`${row('people.revoked')} whose token was revoked gets nothing more on what is open`, async ({ world }) => {
      world.write('.sekisho/processes/led.yaml', led);
      const { url } = await world.daemon();
      const { json } = await world.person(['admin', 'add-person', 'ann', '--json']);
      const token = String(json['token']);
      const open = await openStreams(world, url, token);
      const heard = async (count: number) =>
        until(
          'everybody was told',
          () => open.map((one) => one.told()),
          (all) => all.every((one) => one >= count),
        );
      const happen = () => world.call('state_gate.create_run', { process_id: 'led' });
      await happen();
      await world.call('create_group', { description: 'one' });
      await heard(1);
      const before = open.map((one) => one.told());
      const [id = ''] = await tokensOf(world, 'person:ann');
      expect((await world.person(['token', 'revoke', id])).code).toBe(0);
      await happen();
      await world.call('create_group', { description: 'two' });
      expect(await Promise.all(open.map((one) => one.ended))).toEqual(['1008', 'done', 'done']);
      expect(open.map((one) => one.told())).toEqual(before);
    });

    test(`${row('people.revoked')} who is the operating-system user cannot be removed`, async ({ world }) => {
      const user = userInfo().username;
      const { code, stderr } = await world.person(['admin', 'remove-person', user]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('PERSON_IS_USER')]);
    });

    test(`${row('people.revoked')} whose token is revoked is asked about browsers that are signed in`, async ({
      world,
    }) => {
      await world.person(['admin', 'add-person', 'ann', '--json']);
      const revoke = async (...flags: readonly string[]) => {
        await world.person(['token', 'create', '--person', 'ann']);
        return ['token', 'revoke', (await tokensOf(world, 'person:ann')).at(-1) ?? '', ...flags];
      };
      const statusOf = async (who: SignedIn) => (await callApi(who, 'get_session')).status;
      const first = await signIn(world, ['--person', 'ann']);
      const other = await signIn(world);
      const left = await world.person(await revoke());
      expect(left.stderr).toContain('person:ann is still signed in to the dashboard (1 browser session)');
      expect(await statusOf(first)).toBe(200);
      const asked = await atTerminal(world, await revoke(), {
        answers: { 'this token? [y/N]': 'y', 'out too? [y/N]': 'n' },
      });
      expect(asked.text).toContain('(1 browser session)');
      expect(await statusOf(first)).toBe(200);
      await atTerminal(world, await revoke(), { yes: true });
      expect(await statusOf(first)).toBe(401);
      const second = await signIn(world, ['--person', 'ann']);
      const ended = await world.person(await revoke('--sessions', '--json'));
      expect(ended.json).toMatchObject({ sessions_ended: 1, sessions_left: 0 });
      expect([await statusOf(second), await statusOf(other)]).toEqual([401, 200]);
      // The same in the dashboard.
      const third = await signIn(world, ['--person', 'ann']);
      const [, , id = ''] = await revoke();
      const answer = await callApi(other, 'revoke_token', { id, sessions: true });
      expect(answer.body).toEqual({ revoked: id, sessions_ended: 1, sessions_left: 0 });
      expect(await statusOf(third)).toBe(401);
      expect((await callApi(other, 'remove_person', { name: 'ann' })).body).toMatchObject({ removed: 'ann' });
      expect((await callApi(other, 'remove_person', { name: 'ann' })).body).toMatchObject({ code: 'PERSON_NOT_FOUND' });
    });
  });
});
