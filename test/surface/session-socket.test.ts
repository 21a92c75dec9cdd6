import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Principal } from '../../src/kernel/principal.ts';
import { sendJson } from '../../src/surface/http/body.ts';
import {
  type SandboxSocketSession,
  type SessionSockets,
  createSessionSockets,
} from '../../src/surface/http/session-socket.ts';

interface Seen {
  readonly url: string;
  readonly principal: Principal;
  readonly headers: IncomingHttpHeaders;
}

const log = { debug() {}, info() {}, warn() {}, error() {} };
const principal = { role: 'agent', identity: 'session:1', person: false };
let folder: string;
let path: string;
let seen: Seen[];
let sockets: SessionSockets;
let session: SandboxSocketSession;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-socket-'));
  path = join(folder, 'agent.sock');
  seen = [];
  sockets = createSessionSockets(
    async (incoming, response, url, { principal: who }) => {
      seen.push({ url: `${url.pathname}${url.search}`, principal: who, headers: { ...incoming.headers } });
      sendJson(response, 200, {});
    },
    { log, lang: 'en' },
  );
  session = await sockets.open({ path, project: '/work/p', principal, client: 'claude' });
});
afterEach(async () => {
  await sockets.close();
  rmSync(folder, { recursive: true });
});

function ask(method: string, address: string, headers: Record<string, string> = {}): Promise<number | 'unreachable'> {
  return new Promise((done) => {
    const sent = request({ socketPath: path, method, path: address, headers }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    sent.on('error', () => done('unreachable'));
    sent.end();
  });
}

test('only its owner may connect', () => {
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('whatever a request says, it is this agent in this project', async () => {
  const claims = { Authorization: 'Bearer sk_person', 'X-API-Key': 'k', 'Sekisho-Role': 'human', Cookie: 'session=1' };
  expect(await ask('POST', '/mcp?project=/other&token=x', claims)).toBe(200);
  expect(await ask('POST', '/hook/claude?event=stop&project=/other&run-id=r&key=k&fail=open&db=d', claims)).toBe(200);
  expect(seen.map((one) => one.url)).toEqual([
    '/mcp?project=%2Fwork%2Fp',
    '/hook/claude?project=%2Fwork%2Fp&event=stop&fail=closed',
  ]);
  for (const one of seen) {
    expect(one.principal).toEqual(principal);
    for (const name of ['authorization', 'x-api-key', 'sekisho-role', 'cookie'])
      expect(one.headers).not.toHaveProperty(name);
  }
});

test.each([
  ['GET', '/'],
  ['GET', '/health'],
  ['GET', '/api/runs'],
  ['POST', '/session'],
  ['GET', '/hook/claude'],
  ['POST', '/hook/claude/x'],
  ['POST', '/hook/..%2fapi'],
  ['POST', '/mcp/../api'],
  ['POST', '/mcpx'],
  ['POST', '//mcp'],
  ['POST', 'http://other/api'],
])('there is nothing else: %s %s', async (method, address) => {
  expect(await ask(method, address)).toBe(403);
  expect(seen).toEqual([]);
});

test('nothing is upgraded', async () => {
  expect(await ask('GET', '/mcp', { Connection: 'Upgrade', Upgrade: 'websocket' })).toBe('unreachable');
});

test('it ends with the session', async () => {
  await session.close();
  expect(await ask('POST', '/mcp')).toBe('unreachable');
});
