import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { sessionSocket } from '../../src/sandbox/place.ts';
import { bridgeStdio } from '../../src/surface/stdio/bridge.ts';
import { WebSocket } from 'ws';
import { isAlive } from '../setup/processes.ts';
import { until } from '../setup/until.ts';
import { type Message, envelope, initializeParams, parse, rawHttp } from './raw.ts';
import { requires } from './requirements.ts';
import { type World, inOneWorld } from './world.ts';
import { configure, fixture } from './upstream-fixture.ts';

/** A client behind the bridge, before a real daemon. Its socket adds the token, as that of a sandboxed session knows who comes. */
async function open(world: World) {
  const { url, token } = await world.daemon();
  const authorization = { Authorization: `Bearer ${token('agent')}` };
  const sessions = new Set<string>();
  const server = createServer((incoming, response) => {
    const onward = request(
      `${url}${incoming.url}`,
      { method: incoming.method, headers: { ...incoming.headers, host: new URL(url).host, ...authorization } },
      (answer) => {
        const id = answer.headers['mcp-session-id'];
        if (typeof id === 'string') sessions.add(id);
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    incoming.pipe(onward);
  });
  const socketPath = join(world.project, 'agent.sock');
  server.listen(socketPath);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ended = bridgeStdio({ socketPath, path: '/mcp', input, output });
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const find = (id: unknown) =>
    text
      .split('\n')
      .map(parse)
      .find((one) => one?.['id'] === id);
  return {
    async ask(id: string, method: string, params: object): Promise<Message> {
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      await until(`an answer to ${id}`, () => find(id) !== undefined);
      return find(id) ?? {};
    },
    async end(): Promise<void> {
      input.end();
      await ended;
    },
    /** With the ids that the daemon gave. */
    knows: (session: string) =>
      rawHttp(`${url}/mcp`, {
        headers: { ...authorization, 'Mcp-Session-Id': session },
        body: { jsonrpc: '2.0', id: 1, method: 'ping' },
      }).then(({ status }) => status === 200),
    sessions,
  };
}

/** Alone, or the last of a stream. */
const messageIn = (text: string) =>
  parse(text) ??
  parse(
    text
      .split('\n')
      .findLast((line) => line.startsWith('data: {'))
      ?.slice(6) ?? '',
  );

inOneWorld('http', 'sqlite', (test) => {
  test(`${requires('common.eras')} (2026, from within a sandbox)`, async ({ world }) => {
    const client = await open(world);
    const listed = await client.ask('list', 'tools/list', { _meta: envelope });
    expect(listed).toHaveProperty('result');
    expect(listed['result'].tools.length).toBeGreaterThan(10);
    const call = { name: 'state_gate.list_processes', arguments: {}, _meta: envelope };
    expect((await client.ask('call', 'tools/call', call))['result'].isError).not.toBe(true);
    const unknown = await client.ask('unknown', 'no/such-method', { _meta: envelope });
    expect(unknown['error'].code).toBe(-32601);
    await client.end();
  });

  test(`${requires('common.eras')} (2025, from within a sandbox: its session ends with it)`, async ({ world }) => {
    const client = await open(world);
    const first = await client.ask('init', 'initialize', initializeParams('2025-06-18'));
    expect(first).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
    expect((await client.ask('list', 'tools/list', {}))['result'].tools.length).toBeGreaterThan(10);
    const [session = ''] = client.sessions;
    expect(await client.knows(session)).toBe(true);
    await client.end();
    expect(await client.knows(session)).toBe(false);
  });

  test(`${requires('common.eras')} (an agent in a sandbox that is gone leaves no upstream behind)`, async ({
    world,
  }) => {
    configure(world, { plain: { command: fixture('plain') } });
    const { url, token } = await world.daemon();
    const query = new URLSearchParams({ token: token('agent'), project: world.project, ring: '3' });
    const holder = new WebSocket(`${url.replace('http', 'ws')}/session?${query.toString()}`);
    const { folder } = JSON.parse(String((await once(holder, 'message'))[0])) as { folder: string };
    const socketPath = join(folder, sessionSocket);
    const post = (body: object, headers: Record<string, string> = {}) =>
      new Promise<{ id: string; message: Message }>((done, fail) => {
        const given = {
          Host: 'localhost',
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        };
        const sent = request(
          { socketPath, path: '/mcp', method: 'POST', headers: { ...given, ...headers } },
          (response) => {
            const id = String(response.headers['mcp-session-id']);
            done(textOf(response).then((text) => ({ id, message: messageIn(text) ?? {} })));
          },
        );
        sent.once('error', fail);
        sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }));
      });
    const { id } = await post({ method: 'initialize', params: initializeParams('2025-06-18') });
    const call = { method: 'tools/call', params: { name: 'pid', arguments: {} } };
    let pid = 0;
    await until('the upstream has answered at once', async () => {
      const { message } = await post(call, { 'Mcp-Session-Id': id });
      pid = Number(message['result']?.content[0].text);
      return pid > 0;
    });
    expect(isAlive(pid)).toBe(true);
    holder.close();
    await until('the upstream has gone', () => !isAlive(pid));
  });
});
