import { spawn } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect } from 'vitest';
import { heldAfterCollection } from '../setup/collected.mjs';
import { until } from '../setup/until.ts';
import { envelope, initializeParams } from './raw.ts';
import { requires } from './requirements.ts';
import { configure, fixture } from './upstream-fixture.ts';
import { type World, bin, inOneWorld, node } from './world.ts';
import { row } from '../setup/security.ts';

const sessions = 1100; // More than are kept.
const requests = 400;
const restarts = 10;
const generous = 1.1;

type Headers = Record<string, string>;

interface Measured {
  post(method: string, params: object, headers?: Headers): Promise<Headers>;
  /** What it holds, right after a collection. */
  held(): Promise<number>;
}

/** A daemon that can be asked for a collection. */
async function startMeasured(world: World, agent: Agent): Promise<Measured> {
  await world.trusted();
  const daemon = spawn(node, ['--inspect=127.0.0.1:0', bin, 'up', '--port', '0', '--json'], {
    cwd: world.project,
    env: world.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const line = (input: Readable, wanted: RegExp) =>
    new Promise<string>((done) =>
      createInterface({ input }).on('line', (text) => wanted.test(text) && done(wanted.exec(text)?.[0] ?? '')),
    );
  const [told, inspector] = await Promise.all([line(daemon.stdout, /^\{.*/), line(daemon.stderr, /ws:\S+/)]);
  const { url, tokens } = JSON.parse(told) as { url: string; tokens: { agent: string } };
  const held = () => heldAfterCollection(inspector);
  const common = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${readFileSync(tokens.agent, 'utf8').trim()}`,
  };
  const post = (method: string, params: object, headers: Headers = {}): Promise<Headers> =>
    new Promise((done, fail) => {
      const address = `${url}/mcp?project=${encodeURIComponent(world.project)}`;
      request(address, { method: 'POST', agent, headers: { ...common, ...headers } }, (response) => {
        response.resume();
        response.once('end', () =>
          response.statusCode === 200
            ? done(response.headers as Headers)
            : fail(new Error(`HTTP ${response.statusCode}`)),
        );
      })
        .on('error', fail)
        .end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    });
  return { post, held };
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await work();
}

describe.runIf(process.platform === 'linux')(`${row('server.memory')} the memory of a daemon`, () => {
  inOneWorld('http', 'sqlite', (test) => {
    test(`${requires('common.memory')} (requests of both eras, and sessions that nobody closed)`, async ({ world }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const { post, held } = await startMeasured(world, agent);
      const open = () => post('initialize', initializeParams('2025-11-25'));
      const modern = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'list_tasks' };
      const call = { name: 'list_tasks', arguments: {} };
      const round = async () => {
        // The oldest are dropped, so it is the newest that is used.
        const session = { 'Mcp-Session-Id': (await open())['mcp-session-id'] ?? '' };
        await repeat(requests, () => post('tools/call', call, session));
        await repeat(requests, () => post('tools/call', { ...call, _meta: envelope }, modern));
        await repeat(requests, open);
      };
      await repeat(sessions, open);
      await round();
      const before = await held();
      await round();
      const after = await held();
      expect(after / before).toBeLessThan(generous);
      agent.destroy();
    });

    test(`${requires('common.memory')} (an upstream that ends again and again)`, async ({ world }) => {
      const starts = join(world.project, 'starts');
      writeFileSync(starts, '');
      configure(world, { crashing: { command: fixture('crashing', starts) } });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const { post, held } = await startMeasured(world, agent);
      const session = {
        'Mcp-Session-Id': (await post('initialize', initializeParams('2025-11-25')))['mcp-session-id'] ?? '',
      };
      /** What is called while it is down is refused; it counts when it was started once more. */
      const restart = async () => {
        const before = statSync(starts).size;
        await until('another start', async () => {
          await post('tools/call', { name: 'crash', arguments: {} }, session);
          return statSync(starts).size > before;
        });
      };
      await repeat(restarts, restart);
      const before = await held();
      await repeat(restarts, restart);
      const after = await held();
      expect(after / before).toBeLessThan(generous);
      agent.destroy();
    });
  });
});
