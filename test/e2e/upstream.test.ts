import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { configure, fixture, notes, startHttp } from './upstream-fixture.ts';
import { type World, inOneWorld, inTwoWorlds } from './world.ts';

const names = async (world: World, client?: Awaited<ReturnType<World['client']>>) =>
  (await (client ?? (await world.client())).listTools()).tools.map((tool) => tool.name);

/** A list does not wait long for an upstream of which nothing is known yet: it is asked for until `wanted` is in it. */
const namesWith = async (world: World, wanted: string, client?: Awaited<ReturnType<World['client']>>) => {
  const asking = client ?? (await world.client());
  return until(
    `${wanted} is listed`,
    () => names(world, asking),
    (list) => list.includes(wanted),
  );
};

inTwoWorlds('a gated upstream', (test) => {
  const log = (world: World) => join(world.project, 'fixture.log');
  test.beforeEach(({ world }) => {
    world.write('init.js', 'prepare();');
    configure(world, {
      penpot: {
        command: fixture('plain'),
        env: { FIXTURE_LOG: log(world) },
        skill: 'penpot',
        init: { tool: 'execute_code', argument: 'code', script: 'init.js' },
      },
    });
  });

  story(test, 'locked, activated and used', (clause) => {
    clause(requires('upstream.locked'), async ({ world }) => {
      const { isError, text, raw } = await world.call('add', { a: 1, b: 2 });
      expect(isError).toBe(true);
      expect(raw['structuredContent']).toBeUndefined();
      expect(text).toContain('"penpot"');
      expect(text).toContain('/penpot');
      expect(text).toContain('activate()');
      expect(notes(log(world)).some((line) => line.startsWith('code'))).toBe(false);
    });

    clause(requires('upstream.activate'), async ({ world }) => {
      const { value } = await world.call('activate');
      expect(value).toMatchObject({
        activated: true,
        upstreams: [
          {
            upstream: 'penpot',
            state: 'connected',
            initialized_now: true,
            unlocked_now: true,
            server: 'plain-fixture 1.2.3',
            instructions: expect.stringContaining('LONG TEXT'),
          },
        ],
      });
      expect(notes(log(world))).toContain('code prepare();');
      expect((await world.call('add', { a: 1, b: 2 })).raw).toMatchObject({
        content: [{ type: 'text', text: '3' }],
        _meta: { 'example/from': 'upstream' },
      });
      expect(await names(world)).toContain('add');
    });

    clause(requires('upstream.list.constant'), async ({ world }) => {
      const client = await world.client();
      await namesWith(world, 'add', client);
      const before = await client.listTools();
      await world.call('activate', {}, client);
      expect(await client.listTools()).toEqual(before);
    });

    clause(requires('upstream.activate.idempotent'), async ({ world }) => {
      await world.call('activate');
      const runs = () => notes(log(world)).filter((line) => line.startsWith('code')).length;
      const before = runs();
      const again = await world.call('activate', { upstream: 'penpot' });
      expect(again.value['upstreams'][0]).toMatchObject({
        connected_now: false,
        initialized_now: false,
        unlocked_now: false,
      });
      expect(again.value['upstreams'][0]).not.toHaveProperty('instructions');
      expect(runs()).toBe(before);
    });

    clause(requires('upstream.locked.per-connection'), async ({ world }) => {
      await world.call('activate');
      const other = await world.client();
      expect((await world.call('add', { a: 1, b: 2 }, other)).text).toContain('activate');
      await world.call('activate', {}, other);
      expect((await world.call('add', { a: 1, b: 2 }, other)).text).toBe('3');
      expect((await world.call('add', { a: 2, b: 2 })).text).toBe('4');
    });

    clause(requires('upstream.locked.stateless'), async ({ world }) => {
      const modern = { options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } } as const;
      const first = await world.client({ ...modern, name: 'ann' });
      expect((await world.call('add', { a: 1, b: 2 }, first)).isError).toBe(true);
      await world.call('activate', {}, first);
      expect((await world.call('add', { a: 1, b: 2 }, first)).text).toBe('3');
      // Another connection of the same principal and client: nothing is locked, at most it is not connected yet.
      const second = await world.client({ ...modern, name: 'ann' });
      const answer = await world.call('add', { a: 1, b: 2 }, second);
      if (world.surface === 'http') expect(answer.text).toBe('3');
      else expect(answer.text).toContain('disconnected');
      const stranger = await world.client({ ...modern, name: 'bob' });
      expect((await world.call('add', { a: 1, b: 2 }, stranger)).text).toContain('locked');
    });

    clause(requires('upstream.is-error'), async ({ world }) => {
      await world.call('activate');
      const { isError, text } = await world.call('broken');
      expect([isError, text]).toEqual([true, 'this tool always fails']);
      expect((await world.call('add', { a: 1, b: 2 })).text).toBe('3');
    });

    clause(requires('upstream.journal'), async ({ world }) => {
      const rows = async () => {
        const { json } = await world.cli(['journal', 'list', '--subject', 'penpot', '--limit', '500', '--json']);
        return json['entries'].filter((one: { kind: string }) => one.kind === 'upstream.call') as {
          data: { tool: string; outcome: string };
        }[];
      };
      await world.call('add', { a: 1, b: 1 }, await world.client());
      await world.call('activate');
      await world.call('add', { a: 40_404, b: 1 });
      await world.call('broken');
      await world.call('pid');
      // Each server writes its own rows in their order; rows of two servers come in any order.
      const wanted = [
        { tool: 'add', outcome: 'locked' },
        { tool: 'add', outcome: 'ok', duration_ms: expect.any(Number), bytes: expect.any(Number) },
        { tool: 'broken', outcome: 'tool_error' },
        { tool: 'pid', outcome: 'ok' },
      ];
      const written = await until('the rows are written', rows, (found) =>
        wanted.every(({ tool, outcome }) => found.some(({ data }) => data.tool === tool && data.outcome === outcome)),
      );
      for (const one of wanted) expect(written.map((row) => row.data)).toContainEqual(expect.objectContaining(one));
      expect(JSON.stringify(written)).not.toContain('40404');
    });
  });
});

describe('upstreams in detail', () => {
  describe('one transparent upstream', () => {
    inOneWorld('stdio', 'sqlite', (test) => {
      test.beforeEach(({ world }) => configure(world, { plain: { command: fixture('plain') } }));

      test(requires('upstream.stdio'), async ({ world }) => {
        expect((await world.call('add', { a: 20, b: 22 })).text).toBe('42');
      });

      test(requires('upstream.names.one'), async ({ world }) => {
        const list = await namesWith(world, 'add');
        expect(list).toEqual(expect.arrayContaining(['activate', 'add', 'pid', 'plain_activate']));
        expect(list).not.toContain('plain_add');
        expect(new Set(list).size).toBe(list.length);
        expect((await world.call('plain_activate')).text).toContain('upstream’s own activate');
        expect((await world.call('activate')).value['activated']).toBe(true);
      });

      test(requires('upstream.pass.progress'), async ({ world }) => {
        const client = await world.client();
        const seen: string[] = [];
        // Each on its own, since the SDK's client drops progress that arrives together with the answer.
        client.setNotificationHandler('notifications/progress', ({ params }) => {
          seen.push(`${String(params.progressToken)} ${String(params.message)}`);
        });
        const raw = (await client.request({
          method: 'tools/call',
          params: { name: 'steps', arguments: { n: 3 }, _meta: { progressToken: 'mine' } },
        })) as { content: { text: string }[] };
        expect(raw.content[0]?.text).toBe('3 steps');
        expect(seen).toEqual(['mine step 1', 'mine step 2', 'mine step 3']);
      });

      test(requires('upstream.pass.resources'), async ({ world }) => {
        const client = await world.client();
        const resources = async () => (await client.listResources()).resources.map((one) => one.uri);
        await until('they are listed', resources, (uris) => uris.includes('fixture://notes'));
        expect((await client.listPrompts()).prompts.map((one) => one.name)).toContain('greet');
        expect((await client.readResource({ uri: 'fixture://notes' })).contents[0]).toMatchObject({
          text: 'notes of the upstream',
        });
        expect((await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } })).messages[0]?.content).toEqual({
          type: 'text',
          text: 'Hello Ann',
        });
        expect((await client.listResourceTemplates()).resourceTemplates.map((one) => one.uriTemplate)).toContain(
          'fixture://item/{id}',
        );
        expect((await client.readResource({ uri: 'fixture://item/7' })).contents[0]).toMatchObject({ text: 'item 7' });
        const completed = await client.complete({
          ref: { type: 'ref/prompt', name: 'greet' },
          argument: { name: 'name', value: 'A' },
        });
        expect(completed.completion.values).toEqual(['Ann', 'Alice']);
      });

      test(requires('upstream.pass.questions'), async ({ world }) => {
        for (const pin of [undefined, '2026-07-28']) {
          const client = await world.client({
            options: {
              capabilities: { elicitation: {} },
              ...(pin !== undefined && { versionNegotiation: { mode: { pin } } }),
            },
          });
          client.setRequestHandler('elicitation/create', async () => ({
            action: 'accept',
            content: { colour: 'blue' },
          }));
          const { text } = await world.call('ask', {}, client);
          expect(JSON.parse(text)).toMatchObject({ action: 'accept', content: { colour: 'blue' } });
        }
      });

      test(requires('upstream.pass.log'), async ({ world }) => {
        const client = await world.client();
        const heard: unknown[] = [];
        client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
        await world.call('log', {}, client);
        await until('it is heard', () => heard.length > 0);
        expect(heard).toEqual(['from upstream']);
      });

      test(requires('upstream.list.changed'), async ({ world }) => {
        const client = await world.client();
        expect(await namesWith(world, 'add', client)).not.toContain('grown');
        const told = new Promise<void>((done) =>
          client.setNotificationHandler('notifications/tools/list_changed', () => done()),
        );
        await world.call('grow', {}, client);
        await told;
        await namesWith(world, 'grown', client);
        expect((await world.call('grown', {}, client)).text).toBe('grown');
      });

      test(requires('upstream.instructions'), async ({ world }) => {
        const client = await world.client();
        expect(client.getInstructions()?.length).toBeLessThan(1000);
        expect(client.getInstructions()).not.toContain('LONG TEXT');
      });
    });
  });

  describe('several upstreams', () => {
    inOneWorld('http', 'sqlite', (test) => {
      test.beforeEach(({ world }) => {
        world.write('init.js', 'prepare();');
        configure(world, {
          one: { command: fixture('plain'), skill: 'first' },
          two: {
            command: fixture('plain'),
            skill: 'second',
            env: { FIXTURE_INIT: 'fail' },
            init: { tool: 'execute_code', argument: 'code', script: 'init.js' },
          },
          odd: { command: fixture('odd') },
        });
      });

      story(test, 'their names, activation and state', (clause) => {
        clause(requires('upstream.names.several'), async ({ world }) => {
          const client = await world.client();
          for (const name of ['one_add', 'two_add', 'odd_odd']) await namesWith(world, name, client);
          const list = await names(world, client);
          expect(list).toContain('one_activate');
          expect(list).not.toContain('add');
          expect((await world.call('odd_meta')).text).not.toBe('');
          expect((await world.call('two_add', { a: 1, b: 2 })).text).toContain('activate({"upstream": "two"})');
        });

        clause(requires('upstream.activate.all'), async ({ world }) => {
          const { isError, text } = await world.call('activate');
          expect(isError).toBe(true);
          expect(text).toContain('"two"');
          expect(text).toContain('ReferenceError: penpot is not defined');
          expect(text).toContain('Active: one');
          expect((await world.call('one_add', { a: 1, b: 2 })).text).toBe('3');
          expect((await world.call('two_add', { a: 1, b: 2 })).text).toContain('locked');
        });

        clause(requires('upstream.pass.locked'), async ({ world }) => {
          const client = await world.client();
          const prompts = async () => (await client.listPrompts()).prompts.map((one) => one.name);
          const resources = async () => (await client.listResources()).resources.map((one) => one.uri);
          expect(await prompts()).not.toContain('one_greet');
          expect(await resources()).not.toContain('fixture://notes');
          await world.call('activate', { upstream: 'one' }, client);
          expect(await prompts()).toContain('one_greet');
          expect(await prompts()).not.toContain('two_greet');
          expect(await resources()).toContain('fixture://notes');
        });

        clause(requires('upstream.status'), async ({ world }) => {
          await world.call('activate');
          const { value } = await world.call('upstream.status');
          const of = (list: { upstream: string }[], name: string) => list.find((one) => one.upstream === name);
          expect(of(value['upstreams'], 'one')).toMatchObject({ state: 'connected', gated: true, skill: 'first' });
          expect(of(value['upstreams'], 'two')).toMatchObject({
            state: 'disconnected',
            cause: expect.stringContaining('ReferenceError'),
          });
          const { url, token } = await world.daemon();
          expect((await fetch(`${url}/health/upstreams`)).status).toBe(401);
          const health = await fetch(`${url}/health/upstreams`, {
            headers: { Authorization: `Bearer ${token('agent')}` },
          });
          expect(health.status).toBe(503);
          expect(await health.json()).toMatchObject({ status: 'degraded' });
          const shown = await world.cli(['upstream', 'status', '--json']);
          expect(of(shown.json['upstreams'], 'one')).toMatchObject({
            state: 'idle',
            // Each client has a connection of its own.
            servers: expect.arrayContaining([
              expect.objectContaining({ state: 'connected', child_pid: expect.any(Number) }),
            ]),
          });
          const checked = await world.cli(['upstream', 'status', '--check', '--json']);
          expect(of(checked.json['upstreams'], 'odd')).toMatchObject({ state: 'connected', transport: 'stdio' });
        });
      });
    });
  });

  describe('odd content', () => {
    inOneWorld('stdio', 'sqlite', (test) => {
      const call = async (world: World, name: string, more: object = {}) =>
        (await world.client()).request(
          { method: 'tools/call', params: { name, arguments: {}, ...more } } as never,
          { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as never,
        ) as Promise<Record<string, any>>;

      test.beforeEach(({ world }) => configure(world, { odd: { command: fixture('odd') } }));

      test(requires('upstream.pass.content'), async ({ world }) => {
        expect(await call(world, 'odd')).toEqual({
          content: [
            { type: 'hologram', frames: [1, 2, 3], _meta: { k: 'v' } },
            { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png', annotations: { audience: ['user'] } },
            { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
            { type: 'resource', resource: { uri: 'odd://x', text: 'embedded', mimeType: 'text/plain' } },
            { type: 'text', text: 'last', extra: true },
          ],
          structuredContent: { nested: { list: [1, null, 'x'] } },
          _meta: { 'vendor/trace': 'abc' },
          vendorField: 7,
        });
      });

      test(requires('upstream.pass.schemas'), async ({ world }) => {
        const client = await world.client();
        await namesWith(world, 'odd', client);
        const { tools } = (await client.request(
          { method: 'tools/list' } as never,
          { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as never,
        )) as { tools: Record<string, any>[] };
        expect(tools.find((tool) => tool['name'] === 'odd')).toEqual({
          name: 'odd',
          title: 'Odd',
          description: 'Odd content',
          inputSchema: { type: 'object', $defs: { x: { type: 'string' } }, 'x-vendor': 1 },
          icons: [{ src: 'data:image/png;base64,AA==' }],
          execution: { taskSupport: 'forbidden' },
          _meta: { 'vendor/key': { deep: [1, 2] } },
        });
        // The 2025 era has no word for a result that is a list.
        expect(tools.find((tool) => tool['name'] === 'list_out')).not.toHaveProperty('outputSchema');
      });

      test(requires('upstream.pass.errors'), async ({ world }) => {
        await expect(call(world, 'fail')).rejects.toMatchObject({
          code: -32042,
          message: expect.stringContaining('no such thing'),
          data: { retryAfter: 3, list: [1] },
        });
      });

      test(requires('upstream.pass.meta'), async ({ world }) => {
        const answer = await call(world, 'meta', { _meta: { 'vendor/id': 'x', progressToken: 5 } });
        expect(JSON.parse(answer['content'][0].text)).toEqual({ 'vendor/id': 'x', progressToken: expect.any(Number) });
      });
    });
  });

  inOneWorld('stdio', 'sqlite', (test) => {
    test(`${requires('common.protocol.odd')} (an upstream that writes absent fields as null)`, async ({ world }) => {
      configure(world, { odd: { command: fixture('odd', 'nulls') } });
      const client = await world.client();
      await namesWith(world, 'hello', client);
      expect((await world.call('hello', {}, client)).text).toBe('hello');
    });

    test.for(['stdio', 'length', 'chunks', 'disguised', 'events', 'returns'])(
      `${requires('common.failures.depth')} ${requires('common.protocol.size')} (an answer of an upstream, %s)`,
      async (form, { world }) => {
        const started =
          form === 'stdio'
            ? undefined
            : await startHttp(['large', 'http', form], { FIXTURE_LOG: join(world.project, 'fixture.log') });
        const upstream =
          started === undefined ? { command: fixture('large') } : { url: `http://127.0.0.1:${started.port}/mcp` };
        configure(world, { large: upstream }, { maxMessageBytes: 2 ** 20 });
        const client = await world.client();
        await namesWith(world, 'echo', client);
        const said = (name: string, input: object = {}) =>
          world.call(name, input, client).then(
            ({ text }) => text,
            (error: Error) => error.message,
          );
        expect(await said('deep')).toMatch(/deeper than 200 levels/);
        expect(await said('make', { bytes: 2 ** 21 })).toMatch(/larger than 1 MiB/);
        expect(await said('backwards', { bytes: 2 ** 21 })).toMatch(/larger than 1 MiB/);
        expect(await said('noisy')).toBe('after the noise');
        if (form !== 'stdio' && form !== 'length') expect(await said('endless')).toMatch(/larger than 1 MiB/);
        expect(await said('echo', { text: 'still here' })).toBe('still here');
      },
    );

    test(`${requires('upstream.http')} (it hears when its client has gone)`, async ({ world }) => {
      const log = join(world.project, 'fixture.log');
      const { port } = await startHttp(['large', 'http', 'length'], { FIXTURE_LOG: log });
      configure(world, { large: { url: `http://127.0.0.1:${port}/mcp` } });
      const client = await world.client();
      await namesWith(world, 'echo', client);
      await client.close();
      await until('it knows', () => notes(log).includes('end session-1'));
    });

    test(requires('upstream.list.bad'), async ({ world }) => {
      configure(world, { odd: { command: fixture('odd', 'bad') } });
      const client = await world.client();
      const list = await namesWith(world, 'fine', client);
      expect(list.filter((name) => name === 'fine')).toHaveLength(1);
      for (const bad of ['has space', 'no_schema', 'wrong_type', 'boolean_property', 'annotated'])
        expect(list).not.toContain(bad);
      const { value } = await world.call('upstream.status', {}, client);
      expect(value['upstreams'][0].left_out.map((one: { name: string }) => one.name)).toEqual([
        'has space',
        'no_schema',
        'wrong_type',
        'boolean_property',
        'fine',
        'annotated',
        '?',
      ]);
    });

    test(requires('upstream.allow-list'), async ({ world }) => {
      configure(world, { plain: { command: fixture('plain'), tools: ['add'] } });
      expect((await names(world)).filter((name) => ['add', 'pid', 'wait'].includes(name))).toEqual(['add']);
      expect((await world.call('add', { a: 1, b: 1 })).text).toBe('2');
      await expect(world.call('pid')).rejects.toThrow('Unknown tool');
    });

    test(requires('upstream.env'), async ({ world }) => {
      configure(world, { shell: { command: fixture('environment'), env: { GIVEN: '${env:SECRET_OF_USER}' } } });
      const client = await world.client({ env: { SECRET_OF_USER: 's3cret', SEKISHO_ROLE: 'agent' } });
      const { value } = await world.call('environment', {}, client);
      expect(value['GIVEN']).toBe('s3cret');
      expect(Object.keys(value).filter((name) => name.startsWith('SEKISHO_'))).toEqual(['SEKISHO_UPSTREAM']);
    });

    test(requires('upstream.activate.phrase'), async ({ world }) => {
      configure(world, { plain: { command: fixture('plain'), skill: 'careful', phrase: 'measure twice' } });
      expect((await world.call('add', { a: 1, b: 1 })).text).toContain('"phrase"');
      const without = await world.call('activate');
      expect(without.isError).toBe(true);
      expect(without.text).toContain('"careful"');
      expect(without.text).not.toContain('measure twice');
      expect((await world.call('activate', { phrase: 'cut once' })).isError).toBe(true);
      expect((await world.call('add', { a: 1, b: 1 })).isError).toBe(true);
      expect((await world.call('activate', { phrase: 'measure twice' })).isError).toBe(false);
      expect((await world.call('add', { a: 1, b: 1 })).text).toBe('2');
      expect((await world.call('activate')).isError).toBe(false);
      expect(JSON.stringify((await world.call('upstream.status')).raw)).not.toContain('measure twice');
    });

    test(requires('upstream.activate.unreachable'), async ({ world }) => {
      configure(world, {
        away: { url: 'http://127.0.0.1:9/mcp', skill: 'x' },
        missing: { command: ['no-such-program-here'], skill: 'y' },
      });
      const away = await world.call('activate', { upstream: 'away' });
      expect(away.text).toMatch(/"away" at http:\/\/127\.0\.0\.1:9\/mcp: .*(ECONNREFUSED|fetch failed)/);
      const missing = await world.call('activate', { upstream: 'missing' });
      expect(missing.text).toContain('the program no-such-program-here was not found');
      expect((await world.call('activate', { upstream: 'nobody' })).text).toContain('away, missing');
    });

    test(requires('upstream.crash'), async ({ world }) => {
      configure(world, { crash: { command: fixture('odd', 'crash'), skill: 'x' } });
      const { text } = await world.call('activate');
      expect(text).toContain('exit code 7');
      expect(text).toContain('left-pad');
    });

    test(requires('upstream.stdout'), async ({ world }) => {
      configure(world, { odd: { command: fixture('odd', 'banner') } });
      expect((await world.call('hello')).text).toBe('hello');
    });

    test(requires('upstream.locked.unknown'), async ({ world }) => {
      configure(world, { away: { url: 'http://127.0.0.1:9/mcp', skill: 'nice' } });
      expect((await world.call('whatever')).text).toContain('"nice"');
    });

    test(requires('upstream.unknown.transparent'), async ({ world }) => {
      configure(world, { plain: { command: fixture('plain') } });
      // No list was asked for: the name alone leads there.
      expect((await world.call('add', { a: 1, b: 2 })).text).toBe('3');
      await expect(world.call('no_such_tool')).rejects.toThrow('Unknown tool');
    });

    test(requires('upstream.list.limit'), async ({ world }) => {
      configure(world, { slow: { command: fixture('odd', 'slow'), tools: ['hello', 'other'] } });
      const client = await world.client();
      const told = new Promise<void>((done) =>
        client.setNotificationHandler('notifications/tools/list_changed', () => done()),
      );
      // Answered before the upstream was: it is told later what is there.
      const { tools } = await client.listTools();
      expect(tools.find((tool) => tool.name === 'other')).toMatchObject({ inputSchema: { type: 'object' } });
      await told;
      expect(await names(world, client)).not.toContain('other');
      expect((await world.call('hello', {}, client)).text).toBe('hello');
    });

    test(requires('upstream.lazy'), async ({ world }) => {
      configure(world, { hang: { command: fixture('odd', 'hang'), tools: ['hello'] } });
      // An upstream that never answers holds up neither the start nor a list.
      const client = await world.client();
      expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('hello');
      expect((await client.listTools()).tools.length).toBeGreaterThan(0);
    });

    test(requires('upstream.list.kept'), async ({ world }) => {
      const upstream = await startHttp(['plain', 'http']);
      configure(world, { plain: { url: `http://127.0.0.1:${upstream.port}/mcp`, skill: 'x' } });
      const client = await world.client();
      await namesWith(world, 'add', client);
      const before = (await client.listTools()).tools;
      const kept = async () => (await world.cli(['journal', 'list', '--subject', 'plain', '--json'])).stdout;
      await until('it is kept', kept, (rows) => rows.includes('upstream.tools'));
      await upstream.kill();
      const later = await world.client();
      expect((await later.listTools()).tools).toEqual(before);
      expect(before.find((tool) => tool.name === 'add')?.inputSchema).toMatchObject({ required: ['a', 'b'] });
    });

    test('the content of calls is journalled where the configuration asks for it', async ({ world }) => {
      configure(world, { plain: { command: fixture('plain'), journal: 'content' } });
      await world.call('add', { a: 40_404, b: 1 });
      const listed = async () => (await world.cli(['journal', 'list', '--subject', 'plain', '--json'])).stdout;
      await until('the row is written', async () => (await listed()).includes('40405'));
    });

    test(requires('upstream.http'), async ({ world }) => {
      const upstream = await startHttp(['plain', 'http']);
      configure(world, { plain: { url: `http://127.0.0.1:${upstream.port}/mcp` } });
      expect((await world.call('add', { a: 1, b: 2 })).text).toBe('3');
      const { value } = await world.call('upstream.status');
      expect(value['upstreams'][0]).toMatchObject({ transport: 'streamable', protocol: '2025-11-25' });
    });

    test(requires('upstream.sse'), async ({ world }) => {
      const upstream = await startHttp(['sse']);
      configure(world, { old: { url: `http://127.0.0.1:${upstream.port}/sse` } });
      expect((await world.call('echo', { x: 1 })).text).toBe('{"x":1}');
      const { value } = await world.call('upstream.status');
      expect(value['upstreams'][0]).toMatchObject({ transport: 'sse', protocol: '2024-11-05' });
      await upstream.restart();
      await until('it is back', async () => (await world.call('echo', { x: 2 })).text === '{"x":2}');
    });

    test(requires('upstream.era.2025'), async ({ world }) => {
      configure(world, { odd: { command: fixture('odd', 'plain') } });
      // The fixture answers initialize and knows no server/discover at all.
      expect((await world.call('hello')).text).toBe('hello');
      const { value } = await world.call('upstream.status');
      expect(value['upstreams'][0]).toMatchObject({ protocol: '2025-11-25' });
    });

    test(requires('upstream.era.2026'), async ({ world }) => {
      const upstream = await startHttp(['modern', 'http']);
      configure(world, { pipe: { command: fixture('modern') }, web: { url: `http://127.0.0.1:${upstream.port}/mcp` } });
      const client = await world.client({ options: { capabilities: { elicitation: {} } } });
      client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { colour: 'red' } }));
      for (const name of ['pipe', 'web']) {
        expect((await world.call(`${name}_add`, { a: 1, b: 2 }, client)).text).toBe('3');
        expect((await world.call(`${name}_region`, { region: 'Zürich' }, client)).text).toBe('Zürich');
        expect((await world.call(`${name}_ask`, {}, client)).text).toContain('red');
      }
      const { value } = await world.call('upstream.status', {}, client);
      expect(value['upstreams']).toMatchObject([
        { protocol: '2026-07-28', transport: 'stdio' },
        { protocol: '2026-07-28', transport: 'streamable' },
      ]);
      await upstream.restart();
      expect((await world.call('web_add', { a: 2, b: 2 }, client)).text).toBe('4');
    });

    test(`${requires('upstream.era.2026')} (a stream of notifications that ended is opened again)`, async ({
      world,
    }) => {
      const upstream = await startHttp(['listening', 'http']);
      configure(world, { web: { url: `http://127.0.0.1:${upstream.port}/mcp` } });
      const client = await world.client();
      await namesWith(world, 'cut', client);
      expect((await world.call('cut', {}, client)).text).toBe('cut 1');
      await namesWith(world, 'new_1', client);
      expect((await world.call('cut', {}, client)).text).toBe('cut 2');
      await namesWith(world, 'new_2', client);
    });

    test(requires('upstream.policy'), async ({ world }) => {
      configure(world, { plain: { command: fixture('plain') } });
      world.write(
        '.sekisho/processes/closed.yaml',
        JSON.stringify({
          process: { id: 'closed', version: '1', name: 'Closed', initial_state: 'thinking' },
          states: [
            { name: 'thinking', description: 'Think', tool_permissions: { denied: ['add'] } },
            { name: 'done', description: 'Done', is_final: true },
          ],
          events: [{ name: 'finish', description: 'Finish' }],
          transitions: [{ from: 'thinking', event: 'finish', to: 'done' }],
        }),
      );
      expect((await world.call('add', { a: 1, b: 2 })).text).toBe('3');
      const created = await world.call('state_gate.create_run', { process_id: 'closed' });
      expect(created.isError).toBe(false);
      const refused = await world.call('add', { a: 1, b: 2 });
      expect(refused.isError).toBe(true);
      expect(refused.text).toContain('thinking');
      expect((await world.call('pid')).isError).toBe(false);
    });
  });
});
