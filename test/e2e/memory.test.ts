import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { envelope, initializeParams } from './raw.ts';
import { requires } from './requirements.ts';
import { configure, fixture } from './upstream-fixture.ts';
import type { World } from './world.ts';
import { inOneWorld } from './world.ts';
import { row } from '../setup/security.ts';

/** The short form of `bench/measurement/memory.mjs`, which has the counts and the bar of the contract. */
const warmUp = 1500;
const measured = 1500;
const restarts = 15;
const generous = 1.4;

type Headers = Record<string, string>;

async function poster(world: World, agent: Agent) {
  const { url, process: daemon, token } = await world.daemon();
  const common = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Authorization: `Bearer ${token('agent')}`,
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
  const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))?.[1]);
  return { post, resident };
}

async function repeat(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n += 1) await work();
}

describe.runIf(process.platform === 'linux')(`${row('server.memory')} the memory of a daemon`, () => {
  inOneWorld('http', 'sqlite', (test) => {
    test(`${requires('common.memory')} (requests of both eras, and sessions that nobody closed)`, async ({ world }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const { post, resident } = await poster(world, agent);
      const open = () => post('initialize', initializeParams('2025-11-25'));
      const modern = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'list_tasks' };
      const call = { name: 'list_tasks', arguments: {} };
      const round = async (count: number) => {
        await repeat(count, open);
        // The oldest are dropped, so it is the newest that is used.
        const session = { 'Mcp-Session-Id': (await open())['mcp-session-id'] ?? '' };
        await repeat(count, () => post('tools/call', call, session));
        await repeat(count, () => post('tools/call', { ...call, _meta: envelope }, modern));
      };
      await round(warmUp);
      const before = resident();
      await round(measured);
      expect(resident() / before).toBeLessThan(generous);
      agent.destroy();
    });

    test(`${requires('common.memory')} (an upstream that ends again and again)`, async ({ world }) => {
      const starts = join(world.project, 'starts');
      writeFileSync(starts, '');
      configure(world, { crashing: { command: fixture('crashing', starts) } });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const { post, resident } = await poster(world, agent);
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
      const before = resident();
      await repeat(restarts, restart);
      expect(resident() / before).toBeLessThan(generous);
      agent.destroy();
    });
  });
});
