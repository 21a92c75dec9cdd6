import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Message, initializeParams, parse, rawHttp } from './raw.ts';
import { requires } from './requirements.ts';
import { until } from '../setup/until.ts';
import { configure, fixture, notes } from './upstream-fixture.ts';
import { type World, inOneWorld } from './world.ts';

interface Stream {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly ended: boolean;
  cut(): void;
}

/** An answer that is read while it comes. */
function openStream(url: string, headers: Record<string, string>, body?: unknown): Promise<Stream> {
  return new Promise((done, fail) => {
    const method = body === undefined ? 'GET' : 'POST';
    const given = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json', ...headers };
    const outgoing: ClientRequest = request(url, { method, headers: given }, (response) => {
      const stream = {
        status: response.statusCode ?? 0,
        type: response.headers['content-type'] ?? '',
        text: '',
        ended: false,
        cut: () => outgoing.destroy(),
      };
      response.on('error', () => undefined); // It was cut.
      response.setEncoding('utf8').on('data', (chunk: string) => (stream.text += chunk));
      response.once('end', () => (stream.ended = true));
      done(stream);
    });
    outgoing.once('error', fail);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function eventsOf(text: string): readonly { id: string | undefined; message: Message | undefined }[] {
  return text
    .split('\n\n')
    .filter((one) => one.includes('data:'))
    .map((one) => ({ id: /^id: (.+)$/m.exec(one)?.[1], message: parse(/^data: (.*)$/m.exec(one)?.[1] ?? '') }));
}

const rpc = (id: string | number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });
const call = (id: string | number, name: string, input: object = {}, meta?: object) =>
  rpc(id, 'tools/call', { name, arguments: input, ...(meta && { _meta: meta }) });

describe('the 2025 era over HTTP', () => {
  inOneWorld('http', 'sqlite', (test) => {
    const log = (world: World) => join(world.project, 'upstream.log');

    const open = async (world: World, capabilities: object = {}) => {
      configure(world, { plain: { command: fixture('plain'), env: { FIXTURE_LOG: log(world) } } });
      const { url: root, token } = await world.daemon();
      const url = `${root}/mcp`;
      const authorization = { Authorization: `Bearer ${token('agent')}` };
      const params = { ...initializeParams('2025-11-25'), capabilities };
      const opened = await rawHttp(url, { headers: authorization, body: rpc(0, 'initialize', params) });
      const id = String(opened.headers['mcp-session-id']);
      const session = { ...authorization, 'Mcp-Session-Id': id, 'MCP-Protocol-Version': '2025-11-25' };
      const post = (body: unknown, headers: Record<string, string> = {}) =>
        rawHttp(url, { headers: { ...session, ...headers }, body });
      const stream = (body?: unknown, headers: Record<string, string> = {}) =>
        openStream(url, { ...session, ...headers }, body);
      return { url, authorization, session, post, stream };
    };

    test(`${requires('common.protocol.status')} (400)`, async ({ world }) => {
      const { url, authorization, post, session } = await open(world);
      const code = async (headers: Record<string, string>, body?: unknown, method?: string) => {
        const answer = await rawHttp(url, { headers, body, ...(method !== undefined && { method }) });
        return [answer.status, answer.message['error']?.code];
      };
      expect(await code(authorization, rpc(1, 'ping'))).toEqual([400, -32000]);
      expect(await code(authorization)).toEqual([400, -32000]);
      expect(await code(authorization, undefined, 'DELETE')).toEqual([400, -32000]);
      expect(await code(session, undefined, 'POST')).toEqual([400, -32700]);
      for (const body of [5, null, [], [5], { id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 1 }])
        expect([body, ...(await code(session, body))]).toEqual([body, 400, -32700]);
      expect((await post(rpc(1, 'ping'), { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
      expect(await code(session, rpc(1, 'initialize', initializeParams('2025-11-25')))).toEqual([400, -32600]);
      const first = rpc(1, 'initialize', initializeParams('2025-11-25'));
      expect(await code(authorization, [first, rpc(2, 'ping')])).toEqual([400, -32600]);
    });

    test(`${requires('common.protocol.status')} (404, 405, 406, 413, 415)`, async ({ world }) => {
      const { url, authorization, post, session } = await open(world);
      const unknown = await post(rpc(1, 'ping'), { 'Mcp-Session-Id': 'nobody' });
      expect([unknown.status, unknown.message['error'].code]).toEqual([404, -32001]);
      for (const method of ['PUT', 'PATCH', 'OPTIONS']) {
        const answer = await rawHttp(url, { method, headers: authorization });
        expect([method, answer.status, answer.headers['allow']]).toEqual([method, 405, 'GET, POST, DELETE']);
      }
      for (const Accept of ['application/json', 'text/event-stream', 'text/html'])
        expect((await post(rpc(1, 'ping'), { Accept })).status).toBe(406);
      expect((await rawHttp(url, { headers: { ...session, Accept: 'application/json' } })).status).toBe(406);
      for (const type of ['text/plain', 'application/jsonp', ''])
        expect((await post(rpc(1, 'ping'), { 'Content-Type': type })).status).toBe(415);
      expect((await post(rpc(1, 'ping'), { 'Content-Type': 'application/json; charset=utf-8' })).status).toBe(200);
      const large = await post(rpc(1, 'ping', { text: 'x'.repeat(65 * 1024 * 1024) }));
      expect([large.status, large.message['id'], large.message['error'].code]).toEqual([413, 1, -32600]);
      expect(large.message['error'].message).toContain('64 MiB');
      expect((await post(rpc(1, 'ping'))).status).toBe(200);
    });

    test(`${requires('common.protocol.status')} (202 for what needs no answer; a session that was ended is gone)`, async ({
      world,
    }) => {
      const { url, post, session } = await open(world);
      const accepted = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
      expect([accepted.status, accepted.text]).toEqual([202, '']);
      expect((await post({ jsonrpc: '2.0', id: 99, result: {} })).status).toBe(202);
      expect((await rawHttp(url, { method: 'DELETE', headers: session })).status).toBe(200);
      expect((await post(rpc(1, 'ping'))).status).toBe(404);
    });

    test(`${requires('common.protocol.odd')} (HTTP)`, async ({ world }) => {
      const { post, stream } = await open(world);
      expect((await post({ jsonrpc: '2.0', id: 0, result: {}, error: null })).status).toBe(202);
      const slow = stream(call('slow', 'wait', { ms: 60_000 }));
      await until('the upstream has it', () => notes(log(world)).includes('wait 60000'));
      const cancel = { requestId: 'slow', reason: { toString: 1 } };
      await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: cancel });
      await until('the upstream heard of it', () => notes(log(world)).includes('cancelled'));
      await slow;
      expect((await post(rpc(1, 'ping'))).status).toBe(200);
    });

    test(`${requires('common.protocol.status')} (409: a session has one stream of its own)`, async ({ world }) => {
      const { stream } = await open(world);
      const first = await stream();
      expect([first.status, first.type]).toEqual([200, 'text/event-stream']);
      const second = await stream();
      expect(second.status).toBe(409);
      first.cut();
      await until('the connection is free again', async () => {
        const third = await stream();
        third.cut();
        return third.status === 200;
      });
    });

    test(`${requires('common.protocol.batch')} (HTTP)`, async ({ world }) => {
      const { post } = await open(world);
      const { text, headers } = await post([
        rpc('a', 'ping'),
        { jsonrpc: '2.0', method: 'notifications/whatever' },
        rpc('b', 'no/such-method'),
      ]);
      expect(headers['content-type']).toBe('text/event-stream');
      const answers = eventsOf(text).flatMap(({ message }) => message ?? []);
      expect(answers.map((one) => one['id']).toSorted()).toEqual(['a', 'b']);
      const many = await post(Array.from({ length: 101 }, (_, id) => rpc(id, 'ping')));
      expect([many.status, many.message['error'].code]).toEqual([400, -32600]);
      expect((await post(Array.from({ length: 100 }, (_, id) => rpc(id, 'ping')))).status).toBe(200);
    });

    test(`${requires('common.protocol.stream')} (a quick answer is JSON with its length, a slow one a stream)`, async ({
      world,
    }) => {
      const { post } = await open(world);
      // The first one connects, and on a busy machine any of them may be slow.
      const quick = await until(
        'a quick answer',
        () => post(call(2, 'pid')),
        ({ headers }) => headers['content-type'] === 'application/json',
      );
      expect(quick.headers['content-length']).toBe(String(Buffer.byteLength(quick.text)));
      const slow = await post(call(3, 'wait', { ms: 3000 }));
      expect(slow.headers['content-type']).toBe('text/event-stream');
      expect(slow.message['result'].content[0].text).toBe('waited');
      const told = await post(call(4, 'steps', { n: 3 }, { progressToken: 'p' }));
      const messages = eventsOf(told.text).flatMap(({ message }) => message ?? []);
      expect(messages.map((one) => one['params']?.progress ?? one['id'])).toEqual([1, 2, 3, 4]);
    });

    test(`${requires('common.protocol.cancel')} (HTTP, before and after the stream has begun)`, async ({ world }) => {
      const { post, stream } = await open(world);
      await post(call(1, 'pid'));
      const seen = notes(log(world)).filter((line) => line === 'cancelled').length;
      const started = notes(log(world)).filter((line) => line === 'wait 50000').length;
      const answer = post(call('slow', 'wait', { ms: 50_000 }));
      await until('the upstream has it', () => notes(log(world)).filter((l) => l === 'wait 50000').length > started);
      await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } });
      expect(eventsOf((await answer).text).filter(({ message }) => message !== undefined)).toEqual([]);
      const open2 = await stream(call('slower', 'wait', { ms: 50_000 }));
      expect(open2.type).toBe('text/event-stream');
      await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slower' } });
      await until('the stream ends', () => open2.ended);
      expect(eventsOf(open2.text).filter(({ message }) => message !== undefined)).toEqual([]);
      await until(
        'the upstream heard of both',
        () => notes(log(world)).filter((line) => line === 'cancelled').length === seen + 2,
      );
    });

    test(`${requires('common.protocol.ids')} (HTTP; of another session it is another id)`, async ({ world }) => {
      const one = await open(world, { elicitation: {} });
      const other = await open(world);
      const running = await one.stream(call('twice', 'ask'));
      await until('it runs', () => running.text.includes('elicitation/create'));
      expect((await one.post(call('twice', 'pid'))).message['error']?.code).toBe(-32600);
      expect((await other.post(call('twice', 'pid'))).message['result'].isError).toBeUndefined();
      const question = eventsOf(running.text).find(({ message }) => message?.['method'] !== undefined)?.message;
      await one.post({ jsonrpc: '2.0', id: question?.['id'], result: { action: 'decline' } });
      await until('it is over', () => running.ended);
      expect(eventsOf(running.text).at(-1)?.message).toMatchObject({
        id: 'twice',
        result: { content: [{ text: '{"action":"decline"}' }] },
      });
      expect((await one.post(call('twice', 'pid'))).message['result'].isError).toBeUndefined();
    });

    test(`${requires('common.protocol.questions')} (HTTP, on the stream of the call)`, async ({ world }) => {
      const { post, stream } = await open(world, { elicitation: {} });
      const asking = await stream(call('asking', 'ask'));
      await until('the question', () => asking.text.includes('elicitation/create'));
      const question = eventsOf(asking.text).find(({ message }) => message?.['method'] !== undefined)?.message;
      const given = { action: 'accept', content: { colour: 'red' } };
      expect((await post({ jsonrpc: '2.0', id: question?.['id'], result: given })).status).toBe(202);
      await until('the answer', () => asking.ended);
      expect(eventsOf(asking.text).at(-1)?.message?.['result'].content[0].text).toContain('red');
    });

    test(`${requires('common.protocol.resume')} (the rest of a call whose connection was lost)`, async ({ world }) => {
      const { stream } = await open(world);
      const lost = await stream(call('long', 'wait', { ms: 3000 }));
      await until('an id to come back with', () => eventsOf(lost.text)[0]?.id !== undefined);
      const { id = '' } = eventsOf(lost.text)[0] ?? {};
      lost.cut();
      let back: Stream | undefined;
      await until('the daemon sees that it is gone', async () => {
        back = await stream(undefined, { 'Last-Event-ID': id });
        return back.status === 200;
      });
      await until('the rest', () => back?.ended === true);
      expect(eventsOf(back?.text ?? '').at(-1)?.message).toMatchObject({ id: 'long' });
      // It can be asked for again: the client may have lost this connection too.
      const again = await stream(undefined, { 'Last-Event-ID': id });
      await until('the rest once more', () => again.ended);
      expect(again.text).toBe(back?.text);
    });

    test(`${requires('common.protocol.resume')} (an event of another session opens nothing)`, async ({ world }) => {
      const one = await open(world);
      const other = await open(world);
      const mine = await one.post(call(1, 'wait', { ms: 3000 }));
      const { id = '' } = eventsOf(mine.text)[0] ?? {};
      expect(Number(id)).toBeGreaterThan(0);
      for (const last of [id, '999999', 'nonsense', '-1'])
        expect([last, (await other.stream(undefined, { 'Last-Event-ID': last })).status]).toEqual([last, 400]);
    });
  });
});
