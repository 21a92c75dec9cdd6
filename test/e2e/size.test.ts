import { describe, expect } from 'vitest';
import { type Message, type RawServer, envelope, initializeParams, parse, rawHttp, rawServer } from './raw.ts';
import { requires } from './requirements.ts';
import { until } from '../setup/until.ts';
import { configure, fixture } from './upstream-fixture.ts';
import { type World, inOneWorld } from './world.ts';

const MiB = 1024 * 1024;
const size = 60 * MiB;
const eras = ['2025', '2026'] as const;
type Era = (typeof eras)[number];

function callMessage(era: Era, id: number | string, name: string, input: object): Message {
  const meta = era === '2026' ? { _meta: envelope } : {};
  // As the SDK's client writes it: the id stands last.
  return { method: 'tools/call', params: { name, arguments: input, ...meta }, jsonrpc: '2.0', id };
}

interface Way {
  send(message: Message): Promise<Message>;
  close(): Promise<unknown>;
}

async function overStdio(world: World, era: Era): Promise<Way> {
  const server: RawServer = await rawServer(world);
  if (era === '2025') {
    await server.request('initialize', initializeParams('2025-11-25'));
    server.notify('notifications/initialized');
  } else await server.request('server/discover', { _meta: envelope });
  return {
    async send(message) {
      server.write(JSON.stringify(message));
      const mark = JSON.stringify(message['id']);
      const isIt = (line: string) => (line.slice(0, 200) + line.slice(-200)).includes(`"id":${mark}`);
      const find = () => server.stdout.find(isIt);
      await until('an answer', () => find() !== undefined);
      return parse(find() ?? '') ?? {};
    },
    close: () => server.end(),
  };
}

async function overHttp(world: World, era: Era): Promise<Way> {
  const { url, token } = await world.daemon();
  const address = `${url}/mcp?project=${encodeURIComponent(world.project)}`;
  const headers: Record<string, string> = { Authorization: `Bearer ${token('agent')}` };
  if (era === '2025') {
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params: initializeParams('2025-11-25') };
    const opened = await rawHttp(address, { headers, body });
    headers['Mcp-Session-Id'] = String(opened.headers['mcp-session-id']);
  } else headers['MCP-Protocol-Version'] = '2026-07-28';
  return {
    async send(message) {
      const modern =
        era === '2026' ? { 'Mcp-Method': String(message['method']), 'Mcp-Name': String(message['params'].name) } : {};
      return (await rawHttp(address, { headers: { ...headers, ...modern }, body: message })).message;
    },
    close: async () => undefined,
  };
}

describe.each(['stdio', 'http'] as const)('large messages over %s', (surface) => {
  inOneWorld(surface, 'sqlite', (test) => {
    const open = (world: World, era: Era) => (surface === 'stdio' ? overStdio(world, era) : overHttp(world, era));

    test.for(eras)(
      `${requires('common.protocol.size')} (%s era, proxied)`,
      { timeout: 120_000 },
      async (era, { world }) => {
        configure(world, { large: { command: fixture('large') } });
        const way = await open(world, era);
        await way.send(callMessage(era, 'first', 'echo', { text: 'warm' }));
        const there = await way.send(callMessage(era, 'there', 'echo', { text: 'x'.repeat(size) }));
        expect(there['result']?.content[0].text.length).toBe(size);
        const small = await way.send(callMessage(era, 'small', 'echo', { text: 'still here' }));
        expect(small['result'].content[0].text).toBe('still here');
        await way.close();
      },
    );

    test.for(eras)(
      `${requires('common.protocol.size')} (%s era: what is larger is answered with its id)`,
      { timeout: 120_000 },
      async (era, { world }) => {
        configure(world, { large: { command: fixture('large') } }, { maxMessageBytes: MiB });
        const way = await open(world, era);
        await way.send(callMessage(era, 'first', 'echo', { text: 'warm' }));
        const large = 'x'.repeat(2 * MiB);
        const sent = await way.send(callMessage(era, 'sent', 'echo', { text: large }));
        expect(sent).toMatchObject({ id: 'sent', error: { message: expect.stringContaining('1 MiB') } });
        const { jsonrpc, id, ...rest } = callMessage(era, 'led', 'echo', { text: large });
        expect(await way.send({ jsonrpc, id, ...rest })).toMatchObject({ id: 'led', error: { code: -32600 } });
        const made = await way.send(callMessage(era, 'made', 'make', { bytes: 2 * MiB }));
        expect(JSON.stringify(made)).toMatch(/1 MiB/);
        expect(JSON.stringify(made).length).toBeLessThan(2000);
        const own = await way.send(callMessage(era, 'own', 'create_task', { title: 'x'.repeat(MiB - 2000) }));
        expect(own['id']).toBe('own');
        const deep = await way.send(callMessage(era, 'deep', 'deep', {}));
        expect(JSON.stringify(deep)).toMatch(/deeper than 200 levels/);
        const small = await way.send(callMessage(era, 'small', 'echo', { text: 'still here' }));
        expect(small['result'].content[0].text).toBe('still here');
        await way.close();
      },
    );
  });
});
