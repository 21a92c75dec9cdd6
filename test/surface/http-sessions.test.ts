import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/application.ts';
import { configure } from '../../src/app/configure.ts';
import type { Relay, Wire } from '../../src/kernel/relay.ts';
import { type EventLimits, EventLog } from '../../src/surface/http/event-log.ts';
import type { Incoming } from '../../src/surface/http/incoming.ts';
import { Sessions } from '../../src/surface/http/sessions.ts';
import type { StreamTimes } from '../../src/surface/http/stream.ts';

const owner = { principal: { role: 'agent', identity: 'os:somebody', person: false }, route: '' };
const always = async () => true;
const times: StreamTimes = { promptMs: 20, keepAliveMs: 10_000, retryMs: 50 };

interface Settings {
  readonly times?: Partial<StreamTimes>;
  readonly limits?: EventLimits;
  /** Whether the token of the client is still good. */
  readonly stillIn?: () => Promise<boolean>;
  readonly tools: Readonly<Record<string, (wire: Wire) => Promise<string>>>;
}

/** Real sessions on a real socket, before tools that do exactly what a test needs. */
async function serve(settings: Settings) {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-sessions-')));
  mkdirSync(join(project, '.sekisho'));
  const relay: Relay = {
    list: async () => [],
    heard: () => undefined,
    left: () => undefined,
    async answer(_method, params, wire) {
      const text = await settings.tools[String(params['name'])]?.(wire);
      return text === undefined ? undefined : { content: [{ type: 'text', text }] };
    },
    watch: () => () => undefined,
  };
  const app = {
    ...createApp(await configure({}, { env: { LOG_LEVEL: 'error' }, cwd: project, terminal: false })),
    relay,
  };
  const load = async () => ({ app, connection: { toolsets: ['upstream'] as const, call: {} } });
  const sessions = new Sessions({
    version: '0',
    onError: (error) => faults.push(error),
    times: { ...times, ...settings.times },
    ...(settings.limits !== undefined && { limits: settings.limits }),
  });
  const faults: Error[] = [];
  onTestFinished(() => expect(faults).toEqual([]));
  let closed: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    closed = once(response, 'close');
    const answer = async () => {
      const body = request.method === 'POST' ? await json(request) : undefined;
      sessions.handle(request as Incoming, response, body, { ...owner, stillIn: settings.stillIn ?? always }, load);
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    sessions.close();
    server.closeAllConnections();
    server.close();
    await app.close();
    rmSync(project, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const accept = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' };
  const opened = await fetch(url, {
    method: 'POST',
    headers: accept,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: { elicitation: {} },
        clientInfo: { name: 'x', version: '1' },
      },
    }),
  });
  const headers = {
    ...accept,
    'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '',
    'MCP-Protocol-Version': '2025-11-25',
  };
  return {
    sessions,
    /** The latest connection has ended, as the server sees it. */
    closed: () => closed,
    call: (name: string, more: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(url, {
        method: 'POST',
        // Without those that are said to be empty.
        headers: Object.entries({ ...headers, ...more }).filter(([, value]) => value !== ''),
        body: JSON.stringify({ jsonrpc: '2.0', id: name, method: 'tools/call', params: { name } }),
        ...(signal !== undefined && { signal }),
      }),
    listen: (more: Record<string, string> = {}, signal?: AbortSignal) =>
      fetch(url, { headers: { ...headers, ...more }, ...(signal !== undefined && { signal }) }),
    end: () => fetch(url, { method: 'DELETE', headers }),
  };
}

const note = (wire: Wire, data: string) => wire.notify('notifications/message', { level: 'info', data });
const idsOf = (text: string) => [...text.matchAll(/^id: (\d+)$/gm)].map((match) => match[1] ?? '');

async function readUntil(response: Response, pattern: RegExp): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (!pattern.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended before ${pattern}: ${text}`);
    text += decoder.decode(value, { stream: true });
  }
  return text;
}

test('a quiet stream ends when its token was revoked', async () => {
  let good = true;
  const { listen, sessions } = await serve({ times: { keepAliveMs: 5 }, stillIn: async () => good, tools: {} });
  const stream = await listen();
  good = false;
  expect(await stream.text()).not.toContain('data:');
  expect(sessions.listen).toBe(false);
});

test('a quiet stream says from time to time that it is alive', async () => {
  const { listen, call } = await serve({
    times: { keepAliveMs: 5 },
    tools: { slow: (wire) => new Promise((done) => wire.context.signal.addEventListener('abort', () => done('late'))) },
  });
  const stop = new AbortController();
  const alive = /: keepalive\n\n: keepalive\n\n/;
  expect(await readUntil(await listen({}, stop.signal), alive)).toMatch(alive);
  expect(await readUntil(await call('slow', {}, stop.signal), alive)).toMatch(alive);
  stop.abort();
});

test('only a client that understands an event without data gets one', async () => {
  const { call } = await serve({ tools: { told: async (wire) => (await note(wire, 'one'), 'done') } });
  const modern = await (await call('told')).text();
  expect(modern).toMatch(/^id: \d+\nretry: 50\ndata: \n\n/);
  const older = await (await call('told', { 'MCP-Protocol-Version': '2025-06-18' })).text();
  expect(older).toMatch(/^event: message\nid: \d+\ndata: \{/);
  const silent = await (await call('told', { 'MCP-Protocol-Version': '' })).text();
  expect(silent).toMatch(/^event: message\nid: \d+\ndata: \{/);
});

test('a tool may end the connection, and the client comes back for the answer', async () => {
  let release = () => undefined as void;
  const { call, listen } = await serve({
    tools: {
      detaching: async (wire) => {
        wire.detach?.();
        await new Promise<void>((done) => (release = done));
        return 'after all';
      },
    },
  });
  const first = await (await call('detaching')).text();
  const [id = ''] = idsOf(first);
  expect(first).not.toContain('after all');
  const rest = await listen({ 'Last-Event-ID': id });
  release();
  expect(await rest.text()).toContain('after all');
});

test('what is told while the client is away waits for it', async () => {
  const { sessions, listen } = await serve({ tools: {} });
  const gone = new AbortController();
  const first = await listen({}, gone.signal);
  await sessions.tell({ uris: [], lists: ['tools'] });
  const [id = ''] = idsOf(await readUntil(first, /tools\/list_changed/));
  gone.abort();
  await expect
    .poll(async () => {
      const stop = new AbortController();
      await sessions.tell({ uris: [], lists: ['prompts'] });
      const back = await listen({ 'Last-Event-ID': id }, stop.signal);
      if (back.status !== 200) return back.status;
      const text = await readUntil(back, /prompts\/list_changed/);
      stop.abort();
      return text.includes('tools/list_changed') ? 'told twice' : 'told once';
    })
    .toBe('told once');
});

test.each([
  ['events', { events: 3, bytes: 1_000_000 }],
  ['bytes', { events: 1000, bytes: 700 }],
])('a client that was away for too long is told so (by %s)', async (_what, limits) => {
  const { call, listen } = await serve({
    limits,
    tools: {
      chatty: async (wire) => {
        for (let n = 0; n < 6; n++) await note(wire, `${n} ${'x'.repeat(100)}`);
        return 'done';
      },
    },
  });
  const ids = idsOf(await (await call('chatty')).text());
  expect(ids.length).toBe(8);
  const statuses = await Promise.all(ids.map(async (id) => (await listen({ 'Last-Event-ID': id })).status));
  expect(statuses.indexOf(200)).toBeGreaterThan(0);
  expect(statuses.slice(statuses.indexOf(200)).every((one) => one === 200)).toBe(true);
  expect(statuses.slice(0, statuses.indexOf(200)).every((one) => one === 400)).toBe(true);
  const rest = await (await listen({ 'Last-Event-ID': ids.at(-2) ?? '' })).text();
  expect(idsOf(rest)).toEqual([ids.at(-1)]);
});

test('a question to a client that left without an id to come back with fails at once', async () => {
  const gone = new AbortController();
  let asked: (outcome: string) => void = () => undefined;
  const outcome = new Promise<string>((done) => (asked = done));
  const served = await serve({
    times: { promptMs: 60_000 },
    tools: {
      asking: async (wire) => {
        gone.abort();
        await served.closed();
        asked(await wire.request('elicitation/create', {}).then(() => 'answered', String));
        return 'nobody hears this';
      },
    },
  });
  await expect(served.call('asking', {}, gone.signal)).rejects.toThrow();
  expect(await outcome).toContain('the client has gone');
});

test('whoever ends its session ends what runs in it', async () => {
  let ended = false;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((done) => (begin = done));
  const { call, end } = await serve({
    tools: {
      long: (wire) =>
        new Promise((done) => {
          wire.context.signal.addEventListener('abort', () => {
            ended = true;
            done('too late');
          });
          begin();
        }),
    },
  });
  const answer = await call('long');
  await begun;
  await end();
  expect(await answer.text()).not.toContain('too late');
  expect(ended).toBe(true);
});

test('a session may end before a call in it has answered anything', async () => {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((done) => (begin = done));
  const { call, end } = await serve({
    times: { promptMs: 60_000 },
    tools: {
      long: (wire) =>
        new Promise((_done, fail) => {
          wire.signal.addEventListener('abort', () => fail(new Error('stopped')));
          begin();
        }),
    },
  });
  const answer = call('long');
  await begun;
  expect((await end()).status).toBe(200);
  expect((await answer).status).toBe(202);
});

test('the log of events holds the latest of all streams, by number and by size', () => {
  const log = new EventLog<string>({ events: 3, bytes: 20 });
  for (const stream of ['a', 'b', 'a', 'b']) log.add(stream, (id) => `${stream}${id};`);
  expect([log.streamOf(1), log.streamOf(2), log.streamOf(4)]).toEqual([undefined, 'b', 'b']);
  expect(log.after(2)).toEqual(['b4;']);
  log.add('a', () => '関'.repeat(5));
  expect([log.streamOf(3), log.streamOf(4), log.streamOf(5)]).toEqual([undefined, 'b', 'a']);
  log.add('a', () => 'x'.repeat(21));
  expect([4, 5, 6].map((id) => log.streamOf(id))).toEqual([undefined, undefined, undefined]);
  log.add('c', () => 'fits');
  expect(log.streamOf(7)).toBe('c');
});
