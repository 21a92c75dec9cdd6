import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { story } from './story.ts';
import { configure, fixture, notes } from './upstream-fixture.ts';
import { type World, inOneWorld } from './world.ts';

const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };

/** A client that sees what really comes: JSON or events. */
async function open(world: World) {
  const { url, token } = await world.daemon();
  const headers: Record<string, string> = {
    Authorization: `Bearer ${token('agent')}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const send = (message: object) =>
    fetch(`${url}/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  const first = await send({ id: 0, method: 'initialize', params: hello });
  headers['Mcp-Session-Id'] = first.headers.get('mcp-session-id') ?? '';
  await first.text();
  await send({ method: 'notifications/initialized' });
  const start = (id: number | string, name: string, input: object, meta: object = {}) =>
    send({ id, method: 'tools/call', params: { name, arguments: input, _meta: meta } });
  return {
    send,
    start,
    async call(id: number | string, name: string, input: object, meta: object = {}) {
      const response = await start(id, name, input, meta);
      const type = response.headers.get('content-type') ?? '';
      const text = await response.text();
      const messages = type.startsWith('application/json')
        ? [JSON.parse(text) as Record<string, any>]
        : text
            .split('\n')
            .filter((line) => line.startsWith('data: {'))
            .map((line) => JSON.parse(line.slice(6)) as Record<string, any>);
      return { status: response.status, type, messages };
    },
  };
}

describe('plain requests over HTTP', () => {
  inOneWorld('http', 'sqlite', (test) => {
    const log = (world: World) => join(world.project, 'fixture.log');

    test.beforeEach(({ world }) =>
      configure(world, { plain: { command: fixture('plain'), env: { FIXTURE_LOG: log(world) } } }),
    );

    story(test, 'answers are JSON or a stream', (clause) => {
      clause('a short call is answered with JSON, whatever its id is', async ({ world }) => {
        const client = await open(world);
        for (const id of [1, 'one', 0]) {
          const call = async () => {
            const { type, messages } = await client.call(id, 'add', { a: 1, b: 2 });
            expect(messages).toMatchObject([{ jsonrpc: '2.0', id, result: { content: [{ text: '3' }] } }]);
            return type;
          };
          // The first one connects, and on a busy machine any of them may be long.
          await until('a short one', call, (type) => type === 'application/json');
        }
      });

      clause('an error is a JSON-RPC error', async ({ world }) => {
        const { messages } = await (await open(world)).call(1, 'no_such_tool', {});
        expect(messages).toMatchObject([{ id: 1, error: { code: -32602, message: 'Unknown tool: no_such_tool' } }]);
      });

      clause('a call that takes long gets a stream, and one answer', async ({ world }) => {
        const { type, messages } = await (await open(world)).call(1, 'wait', { ms: 3000 });
        expect(type).toContain('text/event-stream');
        expect(messages).toMatchObject([{ id: 1, result: { content: [{ text: 'waited' }] } }]);
      });

      clause('a call that reports progress gets a stream, with the progress before the answer', async ({ world }) => {
        const { messages } = await (await open(world)).call(7, 'steps', { n: 3 }, { progressToken: 'mine' });
        expect(messages.map((one) => one['params']?.message ?? one['id'])).toEqual(['step 1', 'step 2', 'step 3', 7]);
        expect(messages[0]?.['params'].progressToken).toBe('mine');
      });
    });

    test('a call can be cancelled before and after it got its stream', async ({ world }) => {
      const client = await open(world);
      for (const streamed of [false, true]) {
        const id = streamed ? 'after' : 'before';
        const ms = streamed ? 20_001 : 20_000;
        const before = notes(log(world)).filter((line) => line === 'cancelled').length;
        const running = client.start(id, 'wait', { ms });
        await until('it runs', () => notes(log(world)).includes(`wait ${ms}`));
        // The head of the answer is there when it became a stream.
        if (streamed) expect((await running).headers.get('content-type')).toContain('text/event-stream');
        await client.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } });
        await until(
          'the upstream heard it',
          () => notes(log(world)).filter((line) => line === 'cancelled').length > before,
        );
      }
    });

    test('a question is its own client’s, whoever else has a call running', async ({ world }) => {
      const asked = await world.client({ options: { capabilities: { elicitation: {} } } });
      asked.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { colour: 'green' } }));
      expect((await world.call('ask', {}, asked)).text).toContain('green');
      const other = await open(world);
      const waiting = other.start('w', 'wait', { ms: 20_000 });
      await until('the other’s call runs', () => notes(log(world)).includes('wait 20000'));
      expect((await world.call('ask', {}, asked)).text).toContain('green');
      await other.send({ method: 'notifications/cancelled', params: { requestId: 'w' } });
      await until('the other’s call is over', () => notes(log(world)).includes('cancelled'));
      await waiting;
    });

    test('a question reaches a client of a session', async ({ world }) => {
      const client = await world.client({ options: { capabilities: { elicitation: {} } } });
      client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { colour: 'green' } }));
      const { text } = await world.call('ask', {}, client);
      expect(text).toContain('green');
    });
  });
});
