import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { randomFrom } from '../setup/random.ts';
import { until } from '../setup/until.ts';
import { childrenOf, furnish, hostsOf, steps } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { type World, bin, inOneWorld, node } from './world.ts';

/** 200 rounds are the real trial: `SEKISHO_KILL_ROUNDS=200 [SEKISHO_KILL_DATABASE=postgres] npx vitest run test/e2e/fleet-kill.test.ts`. */
const rounds = Number(process.env['SEKISHO_KILL_ROUNDS'] ?? 15);
const atOnce = 3;
const seed = Number(process.env['SEKISHO_KILL_SEED'] ?? Date.now() % 1_000_000);

/** A server of its own, so that it can be killed alone. */
async function openServer(world: World): Promise<{ client: Client; pid: number }> {
  await world.trusted();
  const client = new Client({ name: 'kill', version: '1' });
  const transport = new StdioClientTransport({
    command: node,
    args: [bin, 'mcp'],
    cwd: world.project,
    env: { ...world.env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

const kill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended first.
  }
};

interface Acknowledged {
  readonly groupId: string;
  readonly ids: readonly string[];
}

/** One trial: agents at once or in stages, and at a random moment the server, a host or a child is gone. */
async function trial(world: World, random: () => number): Promise<Acknowledged | undefined> {
  const { client, pid } = await openServer(world);
  const call = async (name: string, input: object) =>
    ((await client.callTool({ name, arguments: input as Record<string, unknown> })) as Record<string, any>)[
      'structuredContent'
    ];
  const { groupId } = await call('create_group', { description: 'kill' });
  const prompt = () => steps({ append: 'runs.txt' }, { print: 'up' }, { sleep: Math.round(random() * 400) });
  const task = () => ({ role: 'scripted', prompt: prompt() });
  const victim = ['server', 'host', 'child'][Math.floor(random() * 3)];
  const delay = random() * 700;
  const staged = random() < 0.5;
  const asked = (
    staged
      ? call('run_sequential', {
          groupId,
          stages: [{ tasks: [task(), task()] }, { tasks: [task()] }],
          on_failure: 'continue',
        })
      : call('run_agents', { groupId, agents: [task(), task()] })
  ).then(
    (answer): string[] => answer.agents.map((one: { agentId: string }) => one.agentId),
    () => undefined, // Killed before it could answer: nothing was promised.
  );
  if (victim === 'server') {
    await pause(delay / 2);
    kill(pid);
  }
  const ids = await asked;
  if (victim !== 'server' && ids !== undefined) {
    await pause(delay);
    for (const id of ids)
      for (const found of victim === 'host' ? hostsOf(id) : childrenOf(id)) if (random() < 0.7) kill(found.pid);
  }
  kill(pid);
  await client.close().catch(() => undefined);
  return { groupId, ids: ids ?? [] };
}

async function everyAgent(world: World): Promise<Record<string, any>[]> {
  const agents: Record<string, any>[] = [];
  let cursor: string | undefined;
  do {
    const { value } = await world.call('list_agents', { limit: 500, ...(cursor !== undefined && { cursor }) });
    agents.push(...(value['agents'] as Record<string, any>[]));
    cursor = value['nextCursor'] as string | undefined;
  } while (cursor !== undefined);
  return agents;
}

const database = process.env['SEKISHO_KILL_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite';

inOneWorld('stdio', database, (test) => {
  test.beforeEach(({ world }) => furnish(world, '', 'maxConcurrent: 100'));

  test(
    requires('fleet.kill'),
    async ({ world }) => {
      const random = randomFrom(seed);
      const done: Acknowledged[] = [];
      for (let round = 0; round < rounds; round += atOnce) {
        const some = await Promise.all(
          Array.from({ length: Math.min(atOnce, rounds - round) }, () => trial(world, randomFrom(random() * 2 ** 32))),
        );
        done.push(...some.filter((one) => one !== undefined));
      }
      // Somebody looks, and everything that was begun comes to an end.
      const agents = await until(
        'every agent has ended',
        () => everyAgent(world),
        (found) => found.every((one) => one['status'] !== 'queued' && one['status'] !== 'running'),
        180_000,
      );
      const known = agents.map((one) => one['agentId'] as string);
      for (const { ids } of done) for (const id of ids) expect(known, `seed ${seed}`).toContain(id);
      for (const one of agents) {
        expect(one['result'], `seed ${seed}`).not.toBeNull();
        if (one['status'] === 'failed') expect(one['result'].errorMessage).toBeTruthy();
      }
      const file = join(world.project, 'runs.txt');
      const runs = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
      expect(new Set(runs).size, `seed ${seed}: an agent ran twice`).toBe(runs.length);
      for (const one of agents)
        if (one['status'] === 'completed') expect(runs, `seed ${seed}`).toContain(one['agentId']);
      await until(
        'no process is left',
        () => known.flatMap((id) => [...hostsOf(id), ...childrenOf(id)]).map((one) => one.command),
        (left) => left.length === 0,
      );
    },
    rounds * 10_000 + 300_000,
  );
});
