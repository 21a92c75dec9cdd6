import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isAlive } from '../setup/processes.ts';
import { until } from '../setup/until.ts';
import { type Message, envelope, initializeParams, parse, rawHttp, rawServer } from './raw.ts';
import { requires } from './requirements.ts';
import { type World, bin, inOneWorld, node } from './world.ts';

const legacyVersions = ['2024-11-05', '2025-06-18', '2025-11-25'];
const isGone = (pid: number | undefined) => until('it has ended', () => !isAlive(pid ?? 0));

async function http(world: World, path = '/mcp') {
  const { url, token } = await world.daemon();
  const authorization = { Authorization: `Bearer ${token('agent')}` };
  const modern = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    rawHttp(`${url}${path}`, {
      headers: { ...authorization, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': method, ...headers },
      body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: envelope } },
    });
  const open = async (version: string) => {
    const answer = await rawHttp(`${url}${path}`, {
      headers: authorization,
      body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams(version) },
    });
    const session = { ...authorization, 'Mcp-Session-Id': String(answer.headers['mcp-session-id']) };
    const request = (method: string, params: object = {}) =>
      rawHttp(`${url}${path}`, { headers: session, body: { jsonrpc: '2.0', id: 2, method, params } });
    return { answer, request };
  };
  return { url: `${url}${path}`, root: url, authorization, modern, open };
}

/** As `printf … | sekisho mcp`. */
async function piped(world: World, input: string): Promise<{ stdout: string; code: number | null }> {
  const child = spawn(node, [bin, 'mcp'], { cwd: world.project, env: world.env, stdio: ['pipe', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  const closed = once(child, 'close') as Promise<[number | null]>;
  child.stdin.end(input);
  const [code] = await closed;
  return { stdout, code };
}

const names = (message: Message): string[] => message['result'].tools.map((tool: { name: string }) => tool.name);

describe('the protocol', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test.for(legacyVersions)(`${requires('common.eras')} (stdio, initialize at %s)`, async (version, { world }) => {
      const server = await rawServer(world);
      const answer = await server.request('initialize', initializeParams(version));
      expect(answer['result'].protocolVersion).toBe(version);
      server.notify('notifications/initialized');
      expect(names(await server.request('tools/list'))).toContain('state_gate.get_state');
      expect(await server.end()).toBe(0);
    });

    test(`${requires('common.eras')} (stdio, 2026-07-28)`, async ({ world }) => {
      const server = await rawServer(world);
      const found = await server.request('server/discover', { _meta: envelope });
      expect(found['result'].supportedVersions).toContain('2026-07-28');
      expect(found['result'].capabilities).toHaveProperty('tools');
      expect(names(await server.request('tools/list', { _meta: envelope }))).toContain('state_gate.get_state');
      const called = await server.request('tools/call', { name: 'state_gate.list_processes', _meta: envelope });
      expect(called['result'].structuredContent.processes.length).toBeGreaterThan(0);
      await server.end();
    });

    test(`${requires('common.eras')} (stdio, a client that probes first and then initializes)`, async ({ world }) => {
      const server = await rawServer(world);
      await server.request('server/discover', { _meta: envelope });
      const answer = await server.request('initialize', initializeParams('2025-11-25'));
      expect(answer['result'].protocolVersion).toBe('2025-11-25');
      await server.end();
    });

    test(`${requires('common.eras')} (HTTP, initialize)`, async ({ world }) => {
      const { open } = await http(world);
      for (const version of legacyVersions) {
        const { answer, request } = await open(version);
        expect(answer.message['result'].protocolVersion).toBe(version);
        expect(names((await request('tools/list')).message)).toContain('state_gate.get_state');
      }
    });

    test(`${requires('common.eras')} (HTTP, 2026-07-28 at the same address)`, async ({ world }) => {
      const { modern } = await http(world);
      const found = await modern('server/discover');
      expect(found.message['result'].supportedVersions).toContain('2026-07-28');
      expect(found.headers['mcp-session-id']).toBeUndefined();
      expect(names((await modern('tools/list')).message)).toContain('state_gate.get_state');
      const name = 'state_gate.list_processes';
      const called = await modern('tools/call', { name, arguments: {} }, { 'Mcp-Name': name });
      expect(called.message['result'].structuredContent.processes.length).toBeGreaterThan(0);
      const unknown = await modern('no/such-method');
      expect([unknown.status, unknown.message['error'].code]).toEqual([404, -32601]);
    });

    test(requires('common.paging.cursor'), async ({ world }) => {
      const server = await rawServer(world);
      await server.request('initialize', initializeParams('2025-11-25'));
      const { modern, open } = await http(world);
      const { request } = await open('2025-11-25');
      const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
      for (const [method, cursor] of lists.flatMap((one) => [[one, 'nonsense'] as const, [one, 7] as const])) {
        expect((await server.request(method, { cursor }))['error'].code).toBe(-32602);
        expect((await request(method, { cursor })).message['error'].code).toBe(-32602);
        expect((await modern(method, { cursor })).message['error'].code).toBe(-32602);
      }
      const params = { name: 'state_gate.list_runs', arguments: { cursor: 'nonsense' } };
      const called = await server.request('tools/call', params);
      expect(called['result'].isError).toBe(true);
      expect(called['result'].content[0].text).toContain('INVALID_PAYLOAD');
      expect(called['result'].content[0].text).toContain('/cursor');
      await server.end();
    });

    test(requires('common.protocol.no-resource'), async ({ world }) => {
      const uri = 'nothing://here';
      const server = await rawServer(world);
      await server.request('initialize', initializeParams('2025-11-25'));
      const { modern, open } = await http(world);
      const { request } = await open('2025-06-18');
      const unknown = { code: -32002, data: { uri } };
      expect((await server.request('resources/read', { uri }))['error']).toMatchObject(unknown);
      expect((await request('resources/read', { uri })).message['error']).toMatchObject(unknown);
      const later = await modern('resources/read', { uri }, { 'Mcp-Name': uri });
      expect(later.message['error']).toMatchObject({ code: -32602, data: { uri } });
      await server.end();
    });

    test(`${requires('common.stdout')} (while calls fail)`, async ({ world }) => {
      world.write('.sekisho/processes/broken.yaml', 'id: [broken\n');
      const server = await rawServer(world, [], { LOG_LEVEL: 'debug' });
      await server.request('initialize', initializeParams('2025-11-25'));
      server.write('this is no JSON');
      server.write('{"jsonrpc":"2.0","id":"half"');
      server.write('[]');
      const call = (name: string, input: unknown) => server.request('tools/call', { name, arguments: input });
      expect((await server.request('no/such-method'))['error'].code).toBe(-32601);
      expect((await server.request('constructor'))['error'].code).toBe(-32601);
      expect((await call('no_such_tool', {}))['error'].code).toBe(-32602);
      expect((await call('state_gate.get_state', { run_id: 'run-none' }))['result'].isError).toBe(true);
      expect((await call('state_gate.create_run', { process_id: 5 }))['result'].isError).toBe(true);
      expect((await call('state_gate.create_run', { process_id: 'broken' }))['result'].isError).toBe(true);
      expect((await server.request('resources/read', { uri: 'nothing://here' }))['error'].code).toBe(-32002);
      expect(await server.end()).toBe(0);
      expectClean(server);
    });

    test.for([
      ['a database that cannot be opened', { SEKISHO_DB: '/dev/null/none.db' }],
      ['a configuration that cannot be read', { SEKISHO_LANG: 'klingon' }],
    ] as const)(`${requires('common.stdout')} (with %s)`, async ([, env], { world }) => {
      const server = await rawServer(world, [], { ...env });
      await server.request('initialize', initializeParams('2025-11-25'));
      const answer = await server.request('tools/call', { name: 'state_gate.list_runs' });
      expect(answer['error'] ?? answer['result'].isError).toBeTruthy();
      await server.end();
      expectClean(server);
    });

    test(`${requires('common.eras')} (both transports greet alike, whatever the revision)`, async ({ world }) => {
      for (const revision of ['2024-10-07', '2024-11-05', '2025-03-26', '2025-11-25', '1999-01-01']) {
        const server = await rawServer(world);
        const overStdio = await server.request('initialize', initializeParams(revision));
        expect(await server.request('ping')).toMatchObject({ result: {} });
        await server.end();
        const { url, authorization } = await http(world);
        const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams(revision) };
        const overHttp = await rawHttp(url, { body, headers: authorization });
        expect(overStdio['result']).toEqual(overHttp.message['result']);
        expect(overStdio['result'].protocolVersion).toBe(revision === '1999-01-01' ? '2025-11-25' : revision);
      }
    });

    test(`${requires('common.ends')} (its stdin ends)`, async ({ world }) => {
      const idle = await rawServer(world);
      idle.process.stdin?.end();
      await isGone(idle.process.pid);
      const used = await rawServer(world);
      await used.request('initialize', initializeParams('2025-11-25'));
      await used.request('tools/call', { name: 'state_gate.list_runs' });
      const ended = once(used.process, 'exit');
      used.process.stdin?.end();
      await isGone(used.process.pid);
      expect(await ended).toEqual([0, null]);
    });

    test.for(['2025-11-25', '2026-07-28'])(`${requires('common.ends.answers')} (%s)`, async (version, { world }) => {
      await world.trusted();
      const _meta = version === '2026-07-28' ? envelope : undefined;
      const create = { name: 'state_gate.create_run', arguments: { process_id: 'exploration' }, _meta };
      const asked = [
        ...(_meta === undefined ? [{ id: 0, method: 'initialize', params: initializeParams(version) }] : []),
        { id: 1, method: 'tools/list', params: { _meta } },
        { id: 2, method: 'tools/call', params: create },
        { id: 3, method: 'tools/call', params: { name: 'state_gate.list_processes', _meta } },
      ];
      const input = asked.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
      const { stdout, code } = await piped(world, input);
      const answers = stdout.split('\n').flatMap((line) => parse(line) ?? []);
      expect(answers.map((one) => one['id'] as number).toSorted()).toEqual(asked.map((one) => one.id));
      expect(answers.filter((one) => one['error'] !== undefined)).toEqual([]);
      expect(answers.find((one) => one['id'] === 2)?.['result'].structuredContent).toHaveProperty('run_id');
      expect(code).toBe(0);
    });

    test(`${requires('common.ends.answers')} (a call that waits ends with its client)`, async ({ world }) => {
      const server = await rawServer(world);
      await server.request('initialize', initializeParams('2025-11-25'));
      const created = await server.request('tools/call', {
        name: 'state_gate.create_run',
        arguments: { process_id: 'exploration' },
      });
      const { run_id } = created['result'].structuredContent;
      void server.request('tools/call', { name: 'state_gate.get_state', arguments: { run_id, wait_ms: 50_000 } });
      await server.request('ping');
      server.process.stdin?.end();
      server.process.kill('SIGTERM');
      await isGone(server.process.pid);
    });

    test(requires('gate.notifications.first'), async ({ world }) => {
      const server = await rawServer(world);
      await server.request('initialize', initializeParams('2025-11-25'));
      server.notify('notifications/initialized');
      const create = { name: 'state_gate.create_run', arguments: { process_id: 'exploration' } };
      expect((await server.request('tools/call', create))['result'].structuredContent).toHaveProperty('run_id');
      await until('it is told', () => server.stdout.some((line) => line.includes('resources/list_changed')));
      await server.end();
    });

    test(`${requires('common.ends')} (SIGTERM)`, async ({ world }) => {
      const server = await rawServer(world);
      await server.request('initialize', initializeParams('2025-11-25'));
      await server.request('tools/list');
      server.process.kill('SIGTERM');
      await isGone(server.process.pid);
    });

    test.for(['alone', 'hold'])(`${requires('common.ends')} (its client is killed, %s)`, async (how, { world }) => {
      const client = spawn(node, [join(import.meta.dirname, '../fixtures/doomed-client.mjs'), how, node, bin, 'mcp'], {
        cwd: world.project,
        env: world.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(client.stdout, 'data')) as [Buffer];
      const { server } = parse(line.toString()) as { server: number };
      expect(isAlive(server)).toBe(true);
      client.kill('SIGKILL');
      await isGone(server);
    });

    test(requires('common.http.token'), async ({ world }) => {
      const { url, root, authorization } = await http(world);
      const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') };
      expect((await rawHttp(`${root}/health`)).message).toMatchObject({ status: 'ok' });
      for (const path of ['/mcp', '/mcp/gate', '/', '/api/anything']) {
        const answer = await rawHttp(`${root}${path}`, { body });
        expect([path, answer.status, answer.headers['www-authenticate']]).toEqual([path, 401, expect.any(String)]);
      }
      for (const Authorization of ['Bearer wrong', 'Bearer', 'Basic c2tfOg==', `${authorization.Authorization}x`])
        expect((await rawHttp(url, { body, headers: { Authorization } })).status).toBe(401);
      expect((await rawHttp(url, { body, headers: authorization })).status).toBe(200);
      const asPerson = await rawHttp(url, { body, headers: { ...authorization, 'Sekisho-Role': 'human' } });
      expect(asPerson.status).toBe(403);
      expect(statSync(world.place.data.agentToken).mode & 0o777).toBe(0o600);
      expect(readdirSync(world.place.data.state).filter((name) => name.endsWith('.token'))).toEqual(['agent.token']);
    });

    test(`${requires('common.http.token')} (the refusal names a command that says where it is)`, async ({ world }) => {
      const { url } = await http(world);
      const { error } = (await rawHttp(url, { body: {} })).message as unknown as { error: string };
      const [, command = ''] = /sekisho (up[- a-z]*?) (?:says|prints)/.exec(error) ?? [];
      const { stdout, code } = await world.cli(command.split(' '));
      expect(stdout).toContain(world.place.data.agentToken);
      expect(code).toBe(0);
    });

    test(`${requires('common.http.token')} (a session belongs to the token that opened it)`, async ({ world }) => {
      const { url, authorization } = await http(world);
      const { token } = await world.daemon();
      const opened = await rawHttp(url, {
        headers: authorization,
        body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') },
      });
      const stolen = await rawHttp(url, {
        headers: {
          Authorization: `Bearer ${token('human')}`,
          'Mcp-Session-Id': String(opened.headers['mcp-session-id']),
        },
        body: { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      });
      expect(stolen.status).toBe(404);
    });

    test(requires('common.http.host'), async ({ world }) => {
      const { url, root, authorization } = await http(world);
      const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') };
      const post = async (headers: Record<string, string>) =>
        (await rawHttp(url, { body, headers: { ...authorization, ...headers } })).status;
      const { port } = new URL(url);
      expect(await post({ Host: `localhost:${port}` })).toBe(200);
      expect(await post({ Host: `[::1]:${port}` })).toBe(200);
      expect(await post({ Origin: `http://localhost:${port}` })).toBe(200);
      // Another program of this machine listens at another port: its pages are not ours.
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        '127.0.0.1.evil.example',
        'localhost.evil.example',
        'localhost',
        'localhost:1',
      ])
        expect([host, await post({ Host: host })]).toEqual([host, 403]);
      for (const origin of [
        'http://evil.example',
        `http://evil.example:${port}`,
        'null',
        'http://localhost:1',
        `https://localhost:${port}`,
      ])
        expect([origin, await post({ Origin: origin })]).toEqual([origin, 403]);
      expect((await rawHttp(`${root}/health`, { headers: { Host: 'evil.example' } })).status).toBe(403);
    });

    test(requires('common.http.port'), async ({ world }) => {
      const blocker = createServer().listen(0, '127.0.0.1');
      await once(blocker, 'listening');
      const { port } = blocker.address() as { port: number };
      const { code, stdout, stderr } = await world.cli(['up', '--port', String(port)]);
      blocker.close();
      expect(code).not.toBe(0);
      expect(stdout).toBe('');
      expect(stderr).toContain(String(port));
      expect(stderr).toContain('--port');
      expect(stderr).not.toMatch(/^\s+at /m);
    });

    test(`${requires('common.toolsets')} (by flag)`, async ({ world }) => {
      const gate = await rawServer(world, ['--toolsets', 'gate']);
      await gate.request('initialize', initializeParams('2025-11-25'));
      const listed = names(await gate.request('tools/list'));
      expect(listed.length).toBeGreaterThan(0);
      expect(listed.filter((name) => !name.startsWith('state_gate.'))).toEqual([]);
      await gate.end();
      const work = await rawServer(world, ['--toolsets', 'work']);
      await work.request('initialize', initializeParams('2025-11-25'));
      expect(names(await work.request('tools/list')).filter((name) => name.startsWith('state_gate.'))).toEqual([]);
      const refused = await work.request('tools/call', { name: 'state_gate.list_runs' });
      expect(refused['error'].code).toBe(-32602);
      await work.end();
    });

    test(`${requires('common.toolsets')} (by path)`, async ({ world }) => {
      for (const path of ['/mcp/gate', '/mcp/gate,work']) {
        const { modern, open } = await http(world, path);
        expect(names((await modern('tools/list')).message)).toContain('state_gate.get_state');
        const { request } = await open('2025-06-18');
        expect(names((await request('tools/list')).message)).toContain('state_gate.get_state');
      }
      const { modern } = await http(world, '/mcp/work');
      expect(names((await modern('tools/list')).message).filter((name) => name.startsWith('state_gate.'))).toEqual([]);
      const nowhere = await http(world, '/mcp/nonsense');
      expect((await nowhere.modern('tools/list')).status).toBe(404);
    });

    test(requires('common.failures.not-an-object'), async ({ world }) => {
      const server = await rawServer(world);
      await server.request('initialize', initializeParams('2025-11-25'));
      const { modern, open } = await http(world);
      const { request } = await open('2025-11-25');
      for (const input of ['a text', ['a', 'list'], 5, true]) {
        const params = { name: 'state_gate.get_state', arguments: input };
        expect((await server.request('tools/call', params))['error'].code).toBe(-32602);
        expect((await request('tools/call', params)).message['error'].code).toBe(-32602);
        const stateless = await modern('tools/call', params, { 'Mcp-Name': params.name });
        expect(stateless.message['error'].code).toBe(-32602);
      }
      await server.end();
    });
  });
});

function expectClean(server: { readonly stdout: readonly string[]; readonly stderr: readonly string[] }): void {
  expect(server.stdout.filter((line) => parse(line)?.['jsonrpc'] !== '2.0')).toEqual([]);
  expect(server.stderr.filter((line) => typeof parse(line) !== 'object')).toEqual([]);
}
