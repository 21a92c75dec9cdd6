import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import {
  type Model,
  copy,
  distinct,
  emptyModel,
  isLive,
  max,
  refusal,
  room,
  settled,
  shown,
  start,
} from './fleet-model.ts';
import { childrenOf, furnish, hostsOf, steps } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { type World, bin, inOneWorld, node } from './world.ts';
import { databases } from '../setup/databases.ts';

/** `SEKISHO_MODEL_STEPS=400 npx vitest run test/e2e/fleet-model.test.ts` is the real trial. */
const trials = Number(process.env['SEKISHO_MODEL_STEPS'] ?? 18);
const seed = Number(process.env['SEKISHO_MODEL_SEED'] ?? Date.now() % 1_000_000);
const servers = 3;

function randomFrom(first: number): () => number {
  let state = first;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Server {
  readonly client: Client;
  readonly pid: number;
}

async function openServer(world: World): Promise<Server> {
  await world.trusted();
  const client = new Client({ name: 'model', version: '1' });
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

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended first.
  }
}

type Answer = Record<string, any>;

/** Drives real servers, hosts and agents, and the model beside them. */
class Trial {
  model: Model = emptyModel();
  readonly counts: Record<string, number> = {};
  private serial = 0;

  constructor(
    readonly world: World,
    readonly random: () => number,
    readonly clients: Server[],
  ) {}

  below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }

  async call(tool: string, input: object, server = this.pick(this.clients)): Promise<Answer> {
    const answer = (await server?.client.callTool({ name: tool, arguments: { ...input } })) as Answer;
    return answer['structuredContent'] ?? (JSON.parse(answer['content'][0].text) as Answer);
  }

  /** An agent that goes on until it is told how to end. */
  task(): Answer {
    const name = `end-${++this.serial}`;
    return { role: 'scripted', prompt: steps({ print: name }, { until: name }, { exitFrom: name }) };
  }

  tasks(count: number): Answer[] {
    return Array.from({ length: count }, () => this.task());
  }

  readonly ends = new Map<string, string>();

  /** Agents of an answer, with the file that each waits for. */
  taken(answer: Answer, tasks: readonly Answer[]): string[] {
    const ids = (answer['agents'] as Answer[]).map((one) => one['agentId'] as string);
    for (const [index, id] of ids.entries())
      this.ends.set(id, /end-\d+/.exec(String(tasks[index]?.['prompt']))?.[0] ?? '');
    return ids;
  }

  async observed(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    let cursor: string | undefined;
    do {
      const page = await this.call('list_agents', { limit: 500, ...(cursor !== undefined && { cursor }) });
      for (const one of page['agents'] as Answer[]) found.set(one['agentId'] as string, one['status'] as string);
      cursor = page['nextCursor'] as string | undefined;
    } while (cursor !== undefined);
    return found;
  }

  /** What is there becomes what one of these worlds says, and stays in it. */
  async becomes(worlds: readonly Model[], what: string): Promise<void> {
    const candidates = distinct(worlds.flatMap(settled));
    const texts = candidates.map((one) => text([...one.agents].map(([id, agent]) => [id, shown(agent)])));
    const found = await until(
      `seed ${seed}: ${what}: one of ${texts.join(' | ')}`,
      async () => text([...(await this.observed())]),
      (now) => texts.includes(now),
      180_000,
    );
    this.model = candidates[texts.indexOf(found)] ?? this.model;
  }

  agentsIn(status: string): string[] {
    return [...this.model.agents].filter(([, one]) => one.status === status).map(([id]) => id);
  }
}

const text = (pairs: readonly (readonly [string, string])[]) =>
  pairs
    .map(([id, status]) => `${id}=${status}`)
    .toSorted()
    .join(' ');

type Act = (trial: Trial) => Promise<void>;

const acts: Readonly<Record<string, Act>> = {
  async group(trial) {
    const mode = trial.pick([undefined, 'concurrent', 'sequential'] as const);
    const { groupId } = await trial.call('create_group', { description: 'g', ...(mode !== undefined && { mode }) });
    trial.model.groups.set(groupId as string, { mode, active: true });
  },
  async agents(trial) {
    const groupId = trial.pick([...trial.model.groups.keys(), 'grp-1-0000']) ?? '';
    const agents = trial.tasks(1 + trial.below(3));
    const answer = await trial.call('run_agents', { groupId, agents });
    expect(answer['code'], `seed ${seed}`).toBe(refusal(trial.model, groupId, 'concurrent', agents.length));
    if (answer['code'] !== undefined) return;
    start(trial.model, groupId, [trial.taken(answer, agents)]);
    await trial.becomes([trial.model], 'agents start');
  },
  async plan(trial) {
    const groupId = trial.pick([...trial.model.groups.keys()]) ?? 'grp-1-0000';
    const sizes = Array.from({ length: 1 + trial.below(3) }, () => 1 + trial.below(2));
    const stages = sizes.map((size) => trial.tasks(size));
    const onFailure = trial.pick(['stop', 'continue'] as const) ?? 'stop';
    const input = { groupId, stages: stages.map((tasks) => ({ tasks })), on_failure: onFailure };
    const answer = await trial.call('run_sequential', input);
    expect(answer['code'], `seed ${seed}`).toBe(refusal(trial.model, groupId, 'sequential', Math.max(...sizes)));
    if (answer['code'] !== undefined) return;
    const ids = trial.taken(answer, stages.flat());
    const parts = sizes.map((size) => ids.splice(0, size));
    start(trial.model, groupId, parts, onFailure);
    await trial.becomes([trial.model], 'a plan starts');
  },
  /** Several at once for the same room: as many win as fit, and nobody is refused for whom there was room. */
  async race(trial) {
    const groupId = trial.pick(
      [...trial.model.groups].filter(([, one]) => one.active && one.mode !== 'sequential'),
    )?.[0];
    if (groupId === undefined) return;
    const wanted = trial.clients.map(() => trial.tasks(1 + trial.below(2)));
    const answers = await Promise.all(
      wanted.map((agents, index) => trial.call('run_agents', { groupId, agents }, trial.clients[index])),
    );
    const free = room(trial.model);
    let taken = 0;
    for (const [index, answer] of answers.entries()) {
      if (answer['code'] !== undefined) continue;
      start(trial.model, groupId, [trial.taken(answer, wanted[index] ?? [])]);
      taken += wanted[index]?.length ?? 0;
    }
    expect(taken, `seed ${seed}`).toBeLessThanOrEqual(free);
    for (const [index, { code }] of answers.entries()) {
      if (code === undefined) continue;
      expect(code, `seed ${seed}`).toBe('MAX_CONCURRENT_REACHED');
      expect(wanted[index]?.length, `seed ${seed}`).toBeGreaterThan(free - taken);
    }
    await trial.becomes([trial.model], 'a race');
  },
  async end(trial) {
    const id = trial.pick(trial.agentsIn('running'));
    const agent = id === undefined ? undefined : trial.model.agents.get(id);
    if (id === undefined || agent === undefined) return;
    const code = trial.pick([0, 0, 1]) ?? 0;
    const file = join(trial.world.project, trial.ends.get(id) ?? '');
    writeFileSync(`${file}.draft`, String(code));
    renameSync(`${file}.draft`, file); // Whole at once: it reads as soon as the file is there.
    agent.status = code === 0 ? 'completed' : 'failed';
    await trial.becomes([trial.model], `${id} ends with ${code}`);
  },
  async report(trial) {
    const [agentId, agent] = trial.pick([...trial.model.agents]) ?? [];
    if (agentId === undefined || agent === undefined) return;
    const status = trial.pick(['success', 'failure'] as const) ?? 'success';
    const answer = await trial.call('report_result', { agentId, status, summary: 's' });
    expect(answer['code'], `seed ${seed}`).toBe(agent.status === 'waiting' ? 'AGENT_NOT_STARTED' : undefined);
    if (agent.status !== 'waiting') agent.report = status;
    await trial.becomes([trial.model], `${agentId} reports ${status}`);
  },
  async cancel(trial) {
    const agentIds = [...trial.model.agents.keys()].filter(() => trial.random() < 0.3).slice(0, 3);
    if (agentIds.length === 0) return;
    const live = agentIds.filter((id) => isLive(trial.model.agents.get(id)!));
    const answer = await trial.call('cancel_agents', { agentIds });
    expect(answer, `seed ${seed}`).toEqual({ cancelled: live, ended: agentIds.filter((id) => !live.includes(id)) });
    for (const id of live) trial.model.agents.get(id)!.status = 'cancelled';
    await trial.becomes([trial.model], `${agentIds.join(', ')} are cancelled`);
  },
  async remove(trial) {
    const groupId = trial.pick([...trial.model.groups.keys()]);
    if (groupId === undefined) return;
    const live = [...trial.model.agents.values()].some((one) => one.group === groupId && isLive(one));
    const answer = await trial.call('delete_group', { groupId });
    expect(answer['code'], `seed ${seed}`).toBe(live ? 'GROUP_HAS_RUNNING_AGENTS' : undefined);
    if (!live) trial.model.groups.get(groupId)!.active = false;
  },
  async killHost(trial) {
    const id = trial.pick(trial.agentsIn('running'));
    const hosts = id === undefined ? [] : hostsOf(id);
    if (id === undefined || hosts.length === 0) return;
    for (const { pid } of hosts) kill(pid);
    trial.model.agents.get(id)!.status = 'failed';
    await trial.becomes([trial.model], `the host of ${id} is killed`);
  },
  /** What it was asked for at that moment was done whole, or not at all. */
  async killServer(trial) {
    const index = trial.below(trial.clients.length);
    const server = trial.clients[index]!;
    const groupId = trial.pick([...trial.model.groups.keys()]) ?? '';
    const agents = trial.tasks(2);
    const allowed = refusal(trial.model, groupId, 'concurrent', agents.length) === undefined;
    const asked = trial.call('run_agents', { groupId, agents }, server).catch(() => undefined);
    await pause(trial.random() * 60);
    kill(server.pid);
    await asked;
    await server.client.close().catch(() => undefined);
    trial.clients[index] = await openServer(trial.world);
    // What it had sent to a database server is still done there.
    let before = '';
    let same = 0;
    const now = await until(
      'nothing comes any more',
      () => trial.observed(),
      (found) => {
        const seen = [...found.keys()].join(' ');
        same = seen === before ? same + 1 : 0;
        before = seen;
        return same === 5;
      },
    );
    const fresh = [...now.keys()].filter((id) => !trial.model.agents.has(id));
    expect(allowed ? [0, 2] : [0], `seed ${seed}`).toContain(fresh.length);
    if (fresh.length === 0) return;
    // Newest first.
    trial.taken({ agents: fresh.toReversed().map((agentId) => ({ agentId })) }, agents);
    start(trial.model, groupId, [fresh]);
    await trial.becomes([trial.model], 'agents of a killed server start');
  },
};

/** Ends are as frequent as starts, so that there is room again and again. */
const weights = ['group', 'agents', 'agents', 'plan', 'plan', 'race', 'end', 'end', 'end', 'end', 'report', 'report'];
const drawn = [...weights, 'cancel', 'remove', 'killHost', 'killServer'];

describe.each(databases)('on %s', (database) => {
  inOneWorld('stdio', database, (test) => {
    test.beforeEach(({ world }) => furnish(world, '', `maxConcurrent: ${max}`));

    test(
      requires('fleet.model'),
      async ({ world }) => {
        const clients = await Promise.all(Array.from({ length: servers }, () => openServer(world)));
        const trial = new Trial(world, randomFrom(seed), clients);
        await acts['group']?.(trial);
        for (let count = 0; count < trials; count++) {
          const name = trial.pick(drawn) ?? 'end';
          trial.counts[name] = (trial.counts[name] ?? 0) + 1;
          await acts[name]?.(trial);
        }
        if (process.env['SEKISHO_MODEL_STEPS'] !== undefined)
          process.stdout.write(
            `${database}, seed ${seed}: ${JSON.stringify(trial.counts)}, ${trial.model.agents.size} agents\n`,
          );
        const before = copy(trial.model);
        const live = [...before.agents].filter(([, one]) => isLive(one)).map(([id]) => id);
        if (live.length > 0) await trial.call('cancel_agents', { agentIds: live });
        await until(
          'no process is left',
          () =>
            [...before.agents.keys()].flatMap((id) => [...hostsOf(id), ...childrenOf(id)]).map((one) => one.command),
          (left) => left.length === 0,
        );
        await Promise.all(trial.clients.map((one) => one.client.close()));
      },
      trials * 10_000 + 300_000,
    );
  });
});
