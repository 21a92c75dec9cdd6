import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Message, type RawServer, initializeParams, parse, rawServer } from './raw.ts';
import { requires } from './requirements.ts';
import { until } from '../setup/until.ts';
import { configure, fixture, notes } from './upstream-fixture.ts';
import { type World, inOneWorld } from './world.ts';

const rpc = (message: object) => JSON.stringify({ jsonrpc: '2.0', ...message });

describe('the 2025 era on the pipe', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    const log = (world: World) => join(world.project, 'upstream.log');

    const open = async (world: World): Promise<RawServer> => {
      configure(world, { plain: { command: fixture('plain'), env: { FIXTURE_LOG: log(world) } } });
      const server = await rawServer(world);
      await server.request('initialize', initializeParams('2025-11-25'));
      server.notify('notifications/initialized');
      return server;
    };

    const lines = (server: RawServer): readonly unknown[] => server.stdout.map((line) => parse(line));

    const answerTo = async (server: RawServer, id: string | number): Promise<Message> => {
      const find = () => lines(server).find((one) => (one as Message)['id'] === id) as Message | undefined;
      await until(`an answer to ${id}`, () => find() !== undefined);
      return find() ?? {};
    };

    const call = (id: string, name: string, input: object, meta?: object) =>
      rpc({ id, method: 'tools/call', params: { name, arguments: input, ...(meta && { _meta: meta }) } });

    test(`${requires('common.protocol.batch')} (stdio: one line for all answers)`, async ({ world }) => {
      const server = await open(world);
      const batch = [
        { jsonrpc: '2.0', id: 'a', method: 'ping' },
        { jsonrpc: '2.0', method: 'notifications/whatever' },
        { jsonrpc: '2.0', id: 'b', method: 'no/such-method' },
        { jsonrpc: '2.0', id: 'c', method: 'tools/list' },
      ];
      server.write(JSON.stringify(batch));
      await until('the answers', () => lines(server).some(Array.isArray));
      const answers = lines(server).find(Array.isArray) as Message[];
      expect(answers.map((one) => one['id']).toSorted()).toEqual(['a', 'b', 'c']);
      expect(answers.find((one) => one['id'] === 'b')?.['error'].code).toBe(-32601);
      await server.end();
    });

    test(`${requires('common.protocol.batch')} (stdio: none and too many)`, async ({ world }) => {
      const server = await open(world);
      const before = server.stdout.length;
      server.write('[]');
      server.write(
        JSON.stringify(Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id: `x${id}`, method: 'ping' }))),
      );
      expect(await server.request('ping')).toMatchObject({ result: {} });
      expect(server.stdout.length).toBe(before + 1);
      const told = () => server.stderr.filter((line) => line.includes('a batch has 1 to 100 messages')).length;
      await until('both are told', told, (count) => count === 2);
      await server.end();
    });

    test(`${requires('common.protocol.cancel')} (stdio)`, async ({ world }) => {
      const server = await open(world);
      server.write(call('slow', 'wait', { ms: 60_000 }));
      await until('the upstream has it', () => notes(log(world)).includes('wait 60000'));
      server.notify('notifications/cancelled', { requestId: 'slow', reason: 'changed my mind' });
      await until('the upstream heard of it', () => notes(log(world)).includes('cancelled'));
      // Whatever would still be said of it is said before this.
      await server.request('tools/call', { name: 'pid' });
      expect(lines(server).filter((one) => (one as Message)['id'] === 'slow')).toEqual([]);
      await server.end();
    });

    test(`${requires('common.protocol.odd')} (stdio)`, async ({ world }) => {
      const server = await open(world);
      server.write(rpc({ id: 0, result: {}, error: null }));
      server.write(rpc({ id: 0, result: null, error: {} }));
      server.write(call('slow', 'wait', { ms: 60_000 }));
      await until('the upstream has it', () => notes(log(world)).includes('wait 60000'));
      server.notify('notifications/cancelled', { requestId: 'slow', reason: { toString: 1 } });
      await until('the upstream heard of it', () => notes(log(world)).includes('cancelled'));
      expect(await server.request('ping')).toMatchObject({ result: {} });
      expect(await server.end()).toBe(0);
    });

    test(`${requires('common.protocol.ids')} (stdio)`, async ({ world }) => {
      const server = await open(world);
      server.write(call('twice', 'wait', { ms: 60_000 }));
      server.write(rpc({ id: 'twice', method: 'tools/list' }));
      expect((await answerTo(server, 'twice'))['error'].code).toBe(-32600);
      server.notify('notifications/cancelled', { requestId: 'twice' });
      const again = lines(server).length;
      await until('the id is free again', async () => {
        server.write(rpc({ id: 'twice', method: 'resources/templates/list' }));
        await server.request('ping');
        return lines(server)
          .slice(again)
          .some((one) => (one as Message)['result']?.resourceTemplates !== undefined);
      });
      await server.end();
    });

    test(`${requires('common.protocol.questions')} (stdio)`, async ({ world }) => {
      configure(world, { plain: { command: fixture('plain') } });
      const server = await rawServer(world);
      const params = { ...initializeParams('2025-11-25'), capabilities: { elicitation: {} } };
      await server.request('initialize', params);
      server.write(call('asking', 'ask', {}));
      const isQuestion = (one: unknown) => (one as Message)['method'] === 'elicitation/create';
      await until('the question', () => lines(server).some(isQuestion));
      const question = lines(server).find(isQuestion) as Message;
      expect(question['params'].message).toBe('Which colour?');
      server.write(rpc({ id: question['id'], result: { action: 'accept', content: { colour: 'red' } } }));
      expect((await answerTo(server, 'asking'))['result'].content[0].text).toContain('red');
      await server.end();
    });

    test(`${requires('common.protocol.size')} (a long one is read, in whatever pieces it comes)`, async ({ world }) => {
      const server = await open(world);
      const text = '関所'.repeat(1_000_000);
      const bytes = Buffer.from(`${call('long', 'execute_code', { code: text })}\n`);
      // Inside of a character.
      for (const part of [bytes.subarray(0, 4001), bytes.subarray(4001, 100_003), bytes.subarray(100_003)])
        server.process.stdin?.write(part);
      const answer = await answerTo(server, 'long');
      expect(answer['result'].content[0].text).toBe(`ran ${text}`);
      await server.end();
    });

    test('what is no message is told on stderr and changes nothing', async ({ world }) => {
      const server = await open(world);
      const wrong = [
        '5',
        'null',
        '{"id":1,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
        '{"jsonrpc":"2.0","id":null,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
        '{"jsonrpc":"2.0","id":1}',
        '{"jsonrpc":"2.0","id":77,"result":{}}',
      ];
      for (const line of [...wrong, '', '   ']) server.write(line);
      const before = server.stdout.length;
      expect(await server.request('ping')).toMatchObject({ result: {} });
      expect(server.stdout.length).toBe(before + 1);
      // The last one is an answer to nothing, which may come late.
      await until(
        'each is told',
        () => server.stderr.filter((line) => line.includes('not JSON-RPC')).length,
        (told) => told === wrong.length - 1,
      );
      await server.end();
    });

    test(`${requires('common.configuration')} (before what the server was used for)`, async ({ world }) => {
      const server = await open(world);
      await server.request('tools/call', { name: 'state_gate.create_run', arguments: { process_id: 'exploration' } });
      await server.end();
      const { json } = await world.cli(['journal', 'list', '--json', '--limit', '500']);
      const kinds = (json['entries'] as readonly { kind: string }[]).map((one) => one.kind);
      const created = kinds.lastIndexOf('run.created');
      expect(created).toBeGreaterThan(0);
      expect(kinds.slice(0, created)).toContain('server.started');
      expect(kinds.filter((one) => one === 'server.started').length).toBe(
        kinds.slice(0, created).filter((one) => one === 'server.started').length,
      );
    });
  });
});
