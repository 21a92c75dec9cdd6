import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { type Both, ask, beatsOf, differences, said, twice } from './faithful.ts';
import { requires } from './requirements.ts';
import { configure, fixture, notes } from './upstream-fixture.ts';
import { type World, inOneWorld } from './world.ts';

type Asked = readonly [method: string, params: object];

const packages = join(import.meta.dirname, '../../node_modules');
const program = (path: string, ...args: string[]) => [process.execPath, join(packages, path), ...args];
const call = (name: string, input: object = {}): Asked => ['tools/call', { name, arguments: input }];
/** A machine with two busy cores. */
const patiently = { timeout: 90_000, interval: 250 };
const legacy = { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } };
const modern = { ...legacy, versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

/** Answers alike wherever it is asked. */
function answering(folder: string) {
  return (client: Client) => {
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: `file://${folder}`, name: 'here' }] }));
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'Ann' } }));
    client.setRequestHandler('sampling/createMessage', async () => ({
      role: 'assistant' as const,
      model: 'test',
      content: { type: 'text' as const, text: 'an answer' },
    }));
  };
}

/** The lists, then each question, directly and through us. */
async function expectAlike({ direct, proxied }: Both, questions: readonly Asked[]): Promise<void> {
  // A server may add tools when it has heard what its client can do.
  await expect.poll(() => differences({ direct, proxied }), patiently).toEqual([]);
  for (const [method, params] of questions)
    expect(await said(proxied, method, params), JSON.stringify(params)).toEqual(await said(direct, method, params));
}

const everything: readonly Asked[] = [
  call('echo', { message: 'Grüße, 世界' }),
  call('get-sum', { a: 20, b: 22 }),
  call('get-tiny-image'),
  call('get-annotated-message', { messageType: 'error', includeImage: true }),
  call('get-structured-content', { location: 'New York' }),
  call('get-resource-links', { count: 2 }),
  call('get-resource-reference', { resourceType: 'Blob', resourceId: 1 }),
  call('get-roots-list'),
  call('trigger-sampling-request', { prompt: 'hi', maxTokens: 5 }),
  call('trigger-elicitation-request'),
  call('echo', { wrong: true }),
  ['prompts/get', { name: 'args-prompt', arguments: { city: 'Kyoto', state: 'Kyoto' } }],
  ['resources/read', { uri: 'demo://resource/static/document/features.md' }],
  ['resources/read', { uri: 'demo://nothing' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' } },
  ],
];

describe.each(['stdio', 'http'] as const)('the same directly and through us (%s)', (surface) => {
  inOneWorld(surface, 'sqlite', (test) => {
    test(`${requires('faithful.servers')} (everything)`, async ({ world }) => {
      const server = program('@modelcontextprotocol/server-everything/dist/index.js');
      configure(world, { everything: { command: server } });
      const both = await twice(world, server, legacy, answering(world.project));
      await expectAlike(both, everything);
      const long = { name: 'trigger-long-running-operation', arguments: { duration: 0.4, steps: 4 } };
      for (const client of [both.direct, both.proxied]) {
        const beats = beatsOf(client);
        await client.callTool(long, { onprogress: () => undefined });
        expect(beats.map(({ progress }) => progress)).toEqual([1, 2, 3, 4]);
      }
    });

    test(`${requires('faithful.servers')} (of each era, by the SDK)`, async ({ world }) => {
      const era = surface === 'stdio' ? legacy : modern;
      const server = fixture(surface === 'stdio' ? 'plain' : 'modern');
      configure(world, { sdk: { command: server } });
      const both = await twice(world, server, era, answering(world.project));
      const ofEach = [call('add', { a: 1, b: 2 }), call('add', { a: 'x' }), call('ask')];
      const of2025: Asked[] = [
        call('broken'),
        ['resources/read', { uri: 'fixture://notes' }],
        ['resources/read', { uri: 'fixture://item/7' }],
        ['prompts/get', { name: 'greet', arguments: { name: 'Ann' } }],
      ];
      await expectAlike(both, [...ofEach, ...(surface === 'stdio' ? of2025 : [call('list'), call('ask_all')])]);
    });

    test(requires('faithful.large'), async ({ world }) => {
      configure(world, { whole: { command: fixture('whole') } });
      const client = await world.client();
      const sent = Array.from({ length: 50 }, (_, n) => ({
        n,
        text: String.fromCharCode(97 + (n % 26)).repeat(1 << 20),
      }));
      const back = await Promise.all(
        sent.map((input) => ask(client, 'tools/call', { name: 'echo', arguments: input })),
      );
      for (const [n, result] of back.entries())
        expect(JSON.parse(result['content'][0].text).arguments).toEqual(sent[n]);
    });
  });
});

inOneWorld('stdio', 'sqlite', (test) => {
  test(`${requires('faithful.servers')} (filesystem, with and without roots)`, async ({ world }) => {
    const allowed = folder(world, 'allowed');
    const root = folder(world, 'root');
    const server = program('@modelcontextprotocol/server-filesystem/dist/index.js', allowed);
    configure(world, { files: { command: server } });
    const questions = (at: string): Asked[] => [
      call('list_allowed_directories'),
      call('read_text_file', { path: join(at, 'hello.txt') }),
      call('read_media_file', { path: join(at, 'dot.png') }),
      call('directory_tree', { path: at }),
      call('read_text_file', { path: '/etc/hostname' }),
      call('write_file', { path: join(at, 'new.txt'), content: 'new' }),
    ];
    await expectAlike(await twice(world, server, {}), questions(allowed));
    const rooted = await twice(world, server, legacy, answering(root));
    const allowedTo = async (client: Client) => JSON.stringify(await said(client, ...call('list_allowed_directories')));
    for (const client of [rooted.direct, rooted.proxied])
      await expect.poll(() => allowedTo(client), patiently).toContain(root);
    await expectAlike(rooted, questions(root));
  });

  test(`${requires('faithful.servers')} (Playwright)`, async ({ world }) => {
    const server = program('@playwright/mcp/cli.js', '--headless', '--isolated');
    configure(world, { browser: { command: server } });
    // No browser is installed for the tests: that, too, must be said alike.
    await expectAlike(await twice(world, server, {}), [
      call('browser_tabs', { action: 'list' }),
      call('browser_navigate', { url: 'data:text/html,<h1>x</h1>' }),
      call('browser_navigate', {}),
    ]);
  });
});

inOneWorld('http', 'sqlite', (test) => {
  test(requires('faithful.clients'), async ({ world }) => {
    const log = join(world.project, 'fixture.log');
    configure(world, { whole: { command: fixture('whole'), env: { FIXTURE_LOG: log } } });
    const noted = (key: string) =>
      notes(log).flatMap((line) => (JSON.parse(line) as Record<string, string>)[key] ?? []);
    const clients = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        const who = `client-${n}`;
        const asked: string[] = [];
        const client = await world.client({
          name: who,
          options: { ...(n < 7 ? legacy : modern), capabilities: { elicitation: {} } },
          prepare: (one) =>
            one.setRequestHandler('elicitation/create', async ({ params }) => {
              asked.push(params.message);
              return { action: 'accept', content: { who } };
            }),
        });
        return { who, asked, client, beats: beatsOf(client) };
      }),
    );
    const work = ({ client, who }: (typeof clients)[number], wait: boolean, signal?: AbortSignal) => {
      const onprogress = () => undefined;
      return client.callTool({ name: 'work', arguments: { who, wait } }, { onprogress, ...(signal && { signal }) });
    };
    const rounds = clients.map((one) => ({ one, running: work(one, false) }));
    for (const { one, running } of rounds) {
      const { content } = await running;
      expect(JSON.parse((content[0] as { text: string }).text)).toEqual({
        action: 'accept',
        content: { who: one.who },
      });
      expect(one.asked).toEqual([`for ${one.who}`]);
      expect(new Set(one.beats.map(({ message }) => message))).toEqual(new Set([one.who]));
    }
    const stops = clients.map((one) => {
      const stop = new AbortController();
      const ended = work(one, true, stop.signal).then(
        () => 'answered',
        () => 'cancelled',
      );
      return { who: one.who, stop, ended };
    });
    await until('all wait', () => noted('waiting').length === clients.length);
    const chosen = stops.filter((_, n) => n % 2 === 1);
    for (const { stop } of chosen) stop.abort('enough');
    await until('the upstream heard of these', () => noted('cancelled').length === chosen.length);
    expect(noted('cancelled').toSorted()).toEqual(chosen.map(({ who }) => who));
    for (const { ended } of chosen) expect(await ended).toBe('cancelled');
    for (const { stop } of stops) stop.abort('the end');
  });
});

/** With a text and an image. */
function folder(world: World, name: string): string {
  const path = join(world.project, name);
  mkdirSync(path);
  writeFileSync(join(path, 'hello.txt'), 'Hello, 世界\n');
  writeFileSync(join(path, 'dot.png'), Buffer.from('iVBORw0KGgo=', 'base64'));
  return path;
}
