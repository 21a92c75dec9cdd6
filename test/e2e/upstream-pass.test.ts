import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { ask } from './faithful.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { configure, fixture, notes } from './upstream-fixture.ts';
import { type World, inOneWorld } from './world.ts';

const log = (world: World) => join(world.project, 'fixture.log');
const noted = (world: World) => notes(log(world)).map((line) => JSON.parse(line) as Record<string, any>);
const prefix = 'io.modelcontextprotocol/';
const capabilities = { roots: { listChanged: true }, sampling: { tools: {} }, elicitation: { form: {}, url: {} } };

/** A client that can be asked everything and keeps what it was asked and told. */
async function fullClient(world: World, roots: string[], pin?: '2026-07-28') {
  const client = await world.client({
    options: { capabilities, ...(pin !== undefined && { versionNegotiation: { mode: { pin } } }) },
  });
  const asked: Record<string, any>[] = [];
  const told: Record<string, any>[] = [];
  client.setRequestHandler('roots/list', async () => ({ roots: roots.map((uri) => ({ uri })) }));
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params as object);
    return params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { colour: 'green' } };
  });
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    asked.push(params as object);
    return {
      role: 'assistant' as const,
      model: 'test',
      stopReason: 'toolUse',
      content: [{ type: 'tool_use' as const, id: 'u1', name: 'weather', input: { city: 'Kyoto' } }],
    };
  });
  client.fallbackNotificationHandler = async ({ method, params }) => void told.push({ method, params });
  return { client, asked, told };
}

const called = async (client: Client, name: string, more: object = {}) =>
  ask(client, 'tools/call', { name, arguments: {}, ...more });
const textOf = (result: Record<string, any>) => JSON.parse(result['content'][0].text);

describe.each(['stdio', 'http'] as const)('an upstream of the 2025 era (%s)', (surface) => {
  inOneWorld(surface, 'sqlite', (test) => {
    test.beforeEach(({ world }) =>
      configure(world, { whole: { command: fixture('whole'), env: { FIXTURE_LOG: log(world) } } }),
    );

    test(requires('upstream.pass.roots'), async ({ world }) => {
      const roots = ['file:///client/one'];
      const { client } = await fullClient(world, roots);
      const expected = () => ({ roots: roots.map((uri) => ({ uri })) });
      const reached = (key: string) =>
        noted(world)
          .filter((one) => key in one)
          .map((one) => one[key]);
      await client.listTools();
      await until('it was asked at the start', () => reached('roots').length > 0);
      expect(reached('roots')).toEqual([expected()]);
      expect(reached('capabilities')).toEqual([capabilities]);
      expect(textOf(await called(client, 'roots'))).toEqual(expected());
      roots.push('file:///client/two');
      await client.sendRootsListChanged();
      await until('the upstream heard of the change', () => reached('changed').length > 0);
      expect(reached('changed')).toEqual([expected()]);
      await called(client, 'exit');
      await until('it is back', () => reached('roots').length > 1);
      expect(reached('roots').at(-1)).toEqual(expected());
      const none = await world.client();
      const project = { roots: [{ uri: pathToFileURL(world.project).href, name: 'project' }] };
      expect(textOf(await called(none, 'roots'))).toEqual(project);
      expect(textOf(await called(client, 'roots'))).toEqual(expected());
    });

    test('what an upstream asks that was slower than the list is asked all the same', async ({ world }) => {
      const gate = join(world.project, 'gate');
      const env = { FIXTURE_LOG: log(world), FIXTURE_WAITS: gate };
      configure(world, { whole: { command: fixture('whole'), env } });
      const { client } = await fullClient(world, ['file:///client/one']);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).not.toContain('roots');
      world.write('gate', '');
      await until('it was answered', () => noted(world).some((one) => 'roots' in one));
      expect(noted(world).find((one) => 'roots' in one)).toEqual({ roots: { roots: [{ uri: 'file:///client/one' }] } });
    });

    story(test, 'what passes within the era', (clause) => {
      clause(requires('upstream.pass.asked'), async ({ world }) => {
        const { client, asked, told } = await fullClient(world, []);
        expect(textOf(await called(client, 'form'))).toEqual({ action: 'accept', content: { colour: 'green' } });
        expect(asked.at(-1)).toMatchObject({ mode: 'form', message: 'Which colour?' });
        expect(textOf(await called(client, 'address'))).toEqual({ action: 'accept' });
        expect(asked.at(-1)).toMatchObject({ mode: 'url', url: 'https://example.test/auth', elicitationId: 'el-1' });
        const complete = { method: 'notifications/elicitation/complete', params: { elicitationId: 'el-1' } };
        await until('it was told that this is done', () => told.some(({ method }) => method === complete.method));
        expect(told).toContainEqual(complete);
        expect(textOf(await called(client, 'sample'))).toMatchObject({
          stopReason: 'toolUse',
          content: [{ type: 'tool_use', input: { city: 'Kyoto' } }],
        });
        expect(asked.at(-1)).toMatchObject({ tools: [{ name: 'weather' }], toolChoice: { mode: 'auto' } });
        await expect(called(client, 'address_first')).rejects.toMatchObject({
          code: -32042,
          data: { elicitations: [{ url: 'https://example.test/auth' }] },
        });
        let withdrawn = false;
        client.setRequestHandler('elicitation/create', async (_request, { mcpReq }) => {
          await new Promise<void>((done) => mcpReq.signal.addEventListener('abort', () => done()));
          withdrawn = true;
          return { action: 'cancel' };
        });
        expect(textOf(await called(client, 'give_up'))).toBe('gave up');
        await until('the question was withdrawn', () => withdrawn);
      });

      clause(requires('upstream.pass.tasks'), async ({ world }) => {
        const { client, asked, told } = await fullClient(world, []);
        expect(client.getServerCapabilities()?.tasks).toEqual({
          list: {},
          cancel: {},
          requests: { tools: { call: {} } },
        });
        const make = async (token: string) =>
          (await called(client, 'research', { task: { ttl: 1000 }, _meta: { progressToken: token } }))['task'];
        const [one, two] = [await make('one'), await make('two')];
        expect(one).toMatchObject({ status: 'working', ttl: 1000, pollInterval: 5 });
        expect(await ask(client, 'tasks/get', { taskId: one.taskId })).toEqual(one);
        const listed = (await ask(client, 'tasks/list'))['tasks'] as { taskId: string }[];
        expect(listed.map((each) => each.taskId)).toEqual([one.taskId, two.taskId]);
        const result = await ask(client, 'tasks/result', { taskId: one.taskId });
        expect(textOf(result)).toEqual({ action: 'accept', content: { colour: 'green' } });
        const related = { 'io.modelcontextprotocol/related-task': { taskId: one.taskId } };
        expect(result['_meta']).toEqual(related);
        expect(asked.at(-1)?.['_meta']).toMatchObject(related);
        expect(await ask(client, 'tasks/cancel', { taskId: two.taskId })).toMatchObject({ status: 'cancelled' });
        const moved = () => told.filter((each) => each['method'] === 'notifications/tasks/status');
        await until('both moved', () => moved().length > 1);
        expect(moved().map((each) => [each['params'].taskId, each['params'].status])).toEqual([
          [one.taskId, 'completed'],
          [two.taskId, 'cancelled'],
        ]);
        await expect(ask(client, 'tasks/get', { taskId: 'nobody’s' })).rejects.toMatchObject({ code: -32602 });
        await expect(called(client, 'research')).rejects.toMatchObject({ code: -32601 });
      });

      clause(requires('upstream.pass.levels'), async ({ world }) => {
        const { client, told } = await fullClient(world, []);
        const levels = () => noted(world).flatMap((one) => one['level'] ?? []);
        const before = levels().length;
        await client.setLoggingLevel('info');
        await called(client, 'logs');
        const heard = () =>
          told.filter((one) => one['method'] === 'notifications/message').map((one) => one['params'].level);
        await until('they came', () => heard().length > 1);
        expect(heard()).toEqual(['info', 'error']);
        expect(levels().slice(before)).toEqual(['info']);
        await called(client, 'exit');
        await until('it is back with the level', () => levels().length > before + 1);
        const other = await fullClient(world, []);
        await called(other.client, 'logs');
        await until('another client has its own', () => other.told.length > 3);
        expect(levels().slice(before)).toEqual(['info', 'info']);
      });

      clause(requires('upstream.pass.unknown'), async ({ world }) => {
        const { client, told } = await fullClient(world, []);
        await called(client, 'echo');
        const { tools } = await ask(client, 'tools/list');
        expect((tools as any[]).find((one) => one.name === 'echo')).toMatchObject({
          icons: [{ src: 'https://example.test/i.png', sizes: ['any'], theme: 'dark' }],
          annotations: { title: 'echo', 'vendor/hint': true },
          execution: { taskSupport: 'forbidden' },
        });
        const given = { vendorField: [1], _meta: { 'vendor/x': 1, traceparent: '00-0-0-01' } };
        const echoed = await called(client, 'echo', given);
        expect(textOf(echoed)).toEqual({ name: 'echo', arguments: {}, ...given });
        expect(echoed).toMatchObject({ vendorField: { x: null }, _meta: { 'vendor/back': [1] } });
        expect((await ask(client, 'prompts/list'))['prompts']).toContainEqual({
          name: 'greet',
          icons: [{ src: 'data:,' }],
          vendorField: 1,
        });
        const prompt = await ask(client, 'prompts/get', { name: 'greet', _meta: { 'vendor/x': 1 } });
        expect(prompt['messages'][0].content).toMatchObject({ text: '{"vendor/x":1}', annotations: { priority: 1 } });
        const completion = {
          ref: { type: 'ref/prompt', name: 'greet' },
          argument: { name: 'who', value: 'A' },
          context: { arguments: { other: 'x' } },
        };
        const completed = await ask(client, 'completion/complete', completion);
        expect(JSON.parse(completed['completion'].values[0])).toEqual(completion);
        await called(client, 'logs');
        await until('an unknown notification came', () =>
          told.some((one) => one['method'] === 'notifications/vendor/odd'),
        );
        await client.notification({ method: 'notifications/vendor/hello', params: { x: 1 } });
        await until('an unknown notification went', () => noted(world).some((one) => 'hello' in one));
        const missing = ask(client, 'resources/read', { uri: 'whole://nothing' });
        await expect(missing).rejects.toMatchObject({ data: { uri: 'whole://nothing' } });
      });
    });

    story(test, 'a client of the 2026 era', (clause) => {
      clause(requires('upstream.eras.modern-client'), async ({ world }) => {
        const { client, asked, told } = await fullClient(world, ['file:///client'], '2026-07-28');
        expect(textOf(await called(client, 'form'))).toEqual({ action: 'accept', content: { colour: 'green' } });
        expect(textOf(await called(client, 'sample'))).toMatchObject({ stopReason: 'toolUse' });
        expect(textOf(await called(client, 'roots'))).toEqual({ roots: [{ uri: 'file:///client' }] });
        expect(textOf(await called(client, 'address_first'))).toBe('opened');
        expect(asked.at(-1)).toMatchObject({ mode: 'url', url: 'https://example.test/auth' });
        // What runs only as a task is waited for, with its question.
        expect(textOf(await called(client, 'research'))).toMatchObject({ action: 'accept' });
        await expect(ask(client, 'resources/read', { uri: 'whole://nothing' })).rejects.toMatchObject({ code: -32602 });
        const updated: string[] = [];
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
        const listening = await client.listen({ resourceSubscriptions: ['whole://watched'] });
        await until('its subscription has reached the upstream and come back', () =>
          updated.includes('whole://watched'),
        );
        expect(noted(world)).toContainEqual({ subscribed: 'whole://watched' });
        await listening.close();
        await called(client, 'logs');
        expect(told.filter((one) => one['method'] === 'notifications/message')).toEqual([]);
        await called(client, 'logs', { _meta: { 'io.modelcontextprotocol/logLevel': 'error' } });
        await until('the level that it asked for', () => told.some((one) => one['params']?.level === 'error'));
        expect(told.filter((one) => one['method'] === 'notifications/message')).toHaveLength(1);
      });
    });
  });
});

describe.each(['stdio', 'http'] as const)('an upstream of the 2026 era (%s)', (surface) => {
  inOneWorld(surface, 'sqlite', (test) => {
    test(requires('upstream.eras.legacy-client'), async ({ world }) => {
      configure(world, { modern: { command: fixture('modern') } });
      const { client, asked } = await fullClient(world, ['file:///client']);
      const envelope = async () => {
        const said = textOf(await called(client, 'envelope')) as Record<string, unknown>;
        return { level: said[`${prefix}logLevel`], capabilities: said[`${prefix}clientCapabilities`] };
      };
      expect(await envelope()).toEqual({ level: 'info', capabilities });
      await client.setLoggingLevel('error');
      expect(await envelope()).toEqual({ level: 'error', capabilities });
      expect(textOf(await called(client, 'ask_all'))).toMatchObject({
        address: { action: 'accept' },
        folders: { roots: [{ uri: 'file:///client' }] },
        words: { model: 'test' },
      });
      expect(asked).toContainEqual(expect.objectContaining({ mode: 'url', elicitationId: 'el-1' }));
      const { tools } = await ask(client, 'tools/list');
      expect((tools as any[]).find((one) => one.name === 'list')).not.toHaveProperty('outputSchema');
      const list = await called(client, 'list');
      expect(list).not.toHaveProperty('structuredContent');
      expect(list).not.toHaveProperty('resultType');
      expect(textOf(list)).toEqual([1, 2]);
    });
  });
});
