import { connect } from 'node:net';
import type { ChildProcess } from 'node:child_process';
import { describe, expect } from 'vitest';
import { envelope, initializeParams, rawHttp } from '../e2e/raw.ts';
import { until } from '../setup/until.ts';
import { type World, inOneWorld } from '../e2e/world.ts';
import { row } from '../setup/security.ts';

/** Bytes as they are: a client library would mend what is wrong with them. Answers with the status, 0 where there is none. */
function send(port: number, text: string): Promise<number> {
  return new Promise((done) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(text));
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => done(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)));
  });
}

const head = (method: string, path: string, ...headers: readonly string[]) =>
  `${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`;

describe('the daemon', () => {
  inOneWorld('http', 'sqlite', (test) => {
    const portOf = async (world: World) => Number(new URL((await world.daemon()).url).port);

    test(`${row('server.host')} lets in whoever names it by a name of this machine and its port, and nobody else`, async ({
      world,
    }) => {
      const port = await portOf(world);
      const allowed = [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`];
      const refused = [
        `127.1:${port}`,
        `0.0.0.0:${port}`,
        `2130706433:${port}`,
        `0x7f.0.0.1:${port}`,
        `127.0.0.2:${port}`,
        `localhost.:${port}`,
        `::1:${port}`,
        `[::ffff:127.0.0.1]:${port}`,
        `localhost`,
        `127.0.0.1`,
        `[::1]`,
        `localhost:${port + 1}`,
        `localhost:0${port}`,
        `localhost:`,
        `user@localhost:${port}`,
        `evil.example@localhost:${port}`,
        `localhost:${port}@evil.example`,
        `localhost:${port}.evil.example`,
        `localhost.evil.example:${port}`,
        `evil.example:${port}`,
        `evil.example`,
        `localhost:${port}/`,
        `localhost:${port}, evil.example`,
        '',
      ];
      const outcomes = await Promise.all(
        [...allowed, ...refused].map(async (host) => [host, await send(port, head('GET', '/health', `Host: ${host}`))]),
      );
      expect(outcomes).toEqual([...allowed.map((one) => [one, 200]), ...refused.map((one) => [one, 403])]);
    });

    test(`${row('server.host')} refuses a request with no Host or with several`, async ({ world }) => {
      const port = await portOf(world);
      const own = `Host: localhost:${port}`;
      expect(await send(port, head('GET', '/health', 'Accept: */*'))).toBe(400);
      // Of several the first counts for us, and for whoever stands in between perhaps the last.
      for (const several of [
        [own, 'Host: evil.example'],
        ['Host: evil.example', own],
        [own, own],
      ])
        expect([several, await send(port, head('GET', '/health', ...several))]).toEqual([
          several,
          expect.toSatisfy(isRefusal),
        ]);
      expect(await send(port, `GET http://evil.example/health HTTP/1.1\r\n${own}\r\nConnection: close\r\n\r\n`)).toBe(
        200,
      );
    });

    test(`${row('server.origin')} lets in a page of its own address and no other page`, async ({ world }) => {
      const port = await portOf(world);
      const allowed = [`http://localhost:${port}`, `http://127.0.0.1:${port}`, `http://[::1]:${port}`];
      const refused = [
        'null',
        'http://localhost',
        `http://localhost:${port + 1}`,
        'http://127.0.0.1:3000',
        `https://localhost:${port}`,
        `http://localhost.:${port}`,
        `http://evil.example:${port}`,
        `http://localhost:${port}.evil.example`,
        `http://localhost.evil.example:${port}`,
        `http://evil.example`,
        `ws://localhost:${port}`,
        `file://`,
        `chrome-extension://abcdef`,
        `localhost:${port}`,
        `//localhost:${port}`,
        ' ',
        `http://user@localhost:${port}`,
        `http://localhost:${port}/page`,
        `http://127.1:${port}`,
        `HTTP://localhost:${port}`,
      ];
      const ask = async (origin: string) => [
        origin,
        await send(port, head('GET', '/health', `Host: localhost:${port}`, `Origin: ${origin}`)),
      ];
      expect(await Promise.all([...allowed, ...refused].map(ask))).toEqual([
        ...allowed.map((one) => [one, 200]),
        ...refused.map((one) => [one, 403]),
      ]);
    });

    test(`${row('server.methods')} answers odd methods with 405, and large headers without falling over`, async ({
      world,
    }) => {
      const port = await portOf(world);
      const { token } = await world.daemon();
      const own = [`Host: localhost:${port}`, `Authorization: Bearer ${token('agent')}`];
      for (const method of ['TRACE', 'PROPFIND', 'PATCH', 'OPTIONS', 'PUT', 'SEARCH'])
        for (const path of ['/mcp', '/mcp/gate', '/hook/claude', '/health', '/prompts'])
          expect([method, path, await send(port, head(method, path, ...own))]).toEqual([method, path, 405]);
      for (const version of ['2025-11-25', '2026-07-28'])
        expect(await send(port, head('TRACE', '/mcp', ...own, `MCP-Protocol-Version: ${version}`))).toBe(405);
      expect(await send(port, head('GET', '/health', ...own, `X-Large: ${'x'.repeat(12_000)}`))).toBe(200);
      expect(await send(port, head('GET', '/health', ...own, `X-Large: ${'x'.repeat(100_000)}`))).toBe(431);
      expect(await send(port, head('GET', `/health?${'x'.repeat(100_000)}`, ...own))).toBe(431);
      expect(await send(port, 'NONSENSE\r\n\r\n')).toBe(400);
      expect(await send(port, head('GET', '/health', ...own))).toBe(200);
    });

    test(`${row('server.sessions')} ends the oldest sessions of the client that opens too many, and of nobody else`, async ({
      world,
    }) => {
      const { url, token } = await world.daemon();
      const address = `${url}/mcp?project=${encodeURIComponent(world.project)}`;
      const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
      const open = async (role: 'agent' | 'human') => {
        const own = { Authorization: `Bearer ${token(role)}` };
        const opened = await rawHttp(address, {
          headers: own,
          body: message('initialize', initializeParams('2025-11-25')),
        });
        const headers = { ...own, 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) };
        return async () => (await rawHttp(address, { headers, body: message('ping') })).status;
      };
      const [mine, first] = [await open('human'), await open('agent')];
      let newest = first;
      for (let n = 0; n < 1000; n += 1) newest = await open('agent');
      expect([await mine(), await first(), await newest()]).toEqual([200, 404, 200]);
    });

    test(`${row('server.log')} writes no query, token or body to its log, whatever fails`, async ({ world }) => {
      const { url, token, process: daemon } = await world.daemon();
      const log = logOf(daemon);
      const secret = 'sekret-4711';
      const agent = { Authorization: `Bearer ${token('agent')}` };
      const query = `?token=${secret}&project=/nowhere/${secret}`;
      const call = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: secret, arguments: { secret }, _meta: envelope },
      };
      const opening = { jsonrpc: '2.0', id: 1, method: 'initialize', params: initializeParams('2025-11-25') };
      const attempts: readonly (readonly [
        string,
        { method?: string; headers?: Record<string, string>; body?: unknown },
      ])[] = [
        [`/nothing${query}`, { headers: agent }],
        [`/mcp${query}`, { headers: agent, body: opening }],
        [`/mcp${query}`, { headers: agent, body: call }],
        [`/mcp${query}`, { headers: { ...agent, 'MCP-Protocol-Version': '2026-07-28' }, body: call }],
        [`/mcp${query}`, { headers: { Authorization: `Bearer ${secret}` }, body: opening }],
        [`/mcp${query}`, { headers: { 'X-API-Key': secret } }],
        [`/mcp?project=${world.project}`, { headers: agent, body: { ...call, jsonrpc: secret } }],
        [`/hook/claude${query}`, { headers: agent, body: { hook_event_name: secret } }],
        [`/hook/${secret}${query}`, { headers: agent, body: { secret } }],
        [`/prompts${query}`, { headers: agent }],
        [`/prompts/${secret}?project=%00${secret}`, { headers: agent }],
        [`/mcp?project=%00${secret}`, { headers: agent, body: opening }],
        [`/mcp?project=${'../'.repeat(50)}${secret}`, { headers: agent, body: opening }],
      ];
      for (const [path, options] of attempts) await rawHttp(`${url}${path}`, options).catch(() => undefined);
      const port = Number(new URL(url).port);
      const own = [`Host: localhost:${port}`, `Authorization: Bearer ${token('agent')}`];
      for (const body of [`{"secret":"${secret}"`, secret, `{"jsonrpc":"2.0","${secret}":`])
        await send(
          port,
          `POST /mcp${query} HTTP/1.1\r\n${own.join('\r\n')}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
        );
      // Gone in the middle of its body.
      await send(port, `POST /mcp${query} HTTP/1.1\r\n${own.join('\r\n')}\r\nContent-Length: 999\r\n\r\n{"${secret}`);
      await send(port, head('GET', `/ws${query}`, ...own, 'Upgrade: websocket', 'Connection: Upgrade'));
      await until('the log has the request that was cut off', () => log().length > 0);
      for (const line of log()) {
        expect(() => JSON.parse(line) as unknown).not.toThrow();
        expect(line).not.toContain(secret);
        expect(line).not.toContain(token('agent'));
      }
    });
  });
});

const isRefusal = (status: number) => status >= 400 && status < 500;

function logOf(daemon: ChildProcess): () => readonly string[] {
  let text = '';
  daemon.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text.split('\n').filter((line) => line !== '');
}
