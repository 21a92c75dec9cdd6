import { describe, expect } from 'vitest';
import { furnish, steps } from '../e2e/fleet-world.ts';
import { type Message, initializeParams, rawServer } from '../e2e/raw.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { row } from '../setup/security.ts';

describe(`${row('server.stdout')} the log of a server`, () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test(requires('fleet.wait.quiet'), async ({ world }) => {
      furnish(world, '', 'maxConcurrent: 16');
      const server = await rawServer(world, [], { LOG_LEVEL: 'debug' });
      await server.request('initialize', initializeParams('2025-11-25'));
      const call = async (name: string, input: object): Promise<Message> => {
        const { result } = await server.request('tools/call', { name, arguments: input });
        expect(result).not.toHaveProperty('isError', true);
        return result.structuredContent as Message;
      };
      const { groupId } = await call('create_group', { description: 'many' });
      const agents = Array.from({ length: 12 }, () => ({ role: 'scripted', prompt: steps({ print: 'done' }) }));
      const started = await call('run_agents', { groupId, agents });
      const agentIds = started['agents'].map((one: Message) => one['agentId'] as string);
      const waited = await call('wait_agent', { agentIds, timeout_ms: 250_000 });
      expect([waited['timedOut'], waited['completed'].length]).toEqual([false, 12]);
      server.write('no JSON at all');
      server.write('{"jsonrpc":"2.0","id":1}');
      await server.request('tools/call', { name: 'nothing', arguments: {} });
      await server.end();
      for (const line of server.stderr)
        expect(JSON.parse(line)).toMatchObject({ timestamp: expect.any(String), level: expect.any(String) });
      expect(server.stderr.some((line) => line.includes('not JSON'))).toBe(true);
      for (const line of server.stdout) expect(JSON.parse(line)).toHaveProperty('jsonrpc');
    });
  });
});
