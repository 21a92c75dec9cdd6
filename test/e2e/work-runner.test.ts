import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from './fleet-world.ts';
import { requires } from './requirements.ts';
import type { World } from './world.ts';
import { bin, inOneWorld, node } from './world.ts';
import type { Agent, Office } from './work-world.ts';
import { openOffice } from './work-world.ts';

const fixtures = join(import.meta.dirname, '../fixtures');
const full = process.env['SEKISHO_TEST_SOAK'] === 'full';

/** A place with a configuration of its own, from which a Runner runs. */
function runnerPlace(world: World, name: string, agents: readonly Agent[], runner: object = {}): string {
  const folder = join(world.project, '..', name);
  mkdirSync(join(folder, '.sekisho'), { recursive: true });
  const settings = {
    pollIntervalMs: 100,
    maxConcurrent: 4,
    cooldownMs: 200,
    commands: { scripted: [node, join(fixtures, 'agents/work.mjs')] },
    passkeyFile: 'passkeys.json',
    ...runner,
  };
  const passkeys = join(folder, 'passkeys.json');
  writeFileSync(passkeys, JSON.stringify(Object.fromEntries(agents.map((one) => [one.id, one.passkey]))));
  chmodSync(passkeys, 0o600);
  const config = { runner: settings, work: { leaseSeconds: 10 } };
  writeFileSync(join(folder, '.sekisho', 'config.yaml'), JSON.stringify(config));
  return folder;
}

const running = new Set<ChildProcess>();

function startRunner(world: World, folder: string, ...args: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, '..'), LANG: 'C', SEKISHO_DB: world.db };
  const child = spawn(node, [bin, 'runner', ...args], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr?.resume();
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function stopRunner(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

afterEach(async () => {
  await Promise.all([...running].map((child) => stopRunner(child)));
});

const statusOf = async (office: Office, task: string) => (await office.read(task))['status'] as string;

describe.each([
  ['stdio', 'sqlite'],
  ['http', 'postgres'],
] as const)('the Runner (%s, %s)', (surface, database) => {
  inOneWorld(surface, database, (test) => {
    let office: Office;
    beforeAll(async () => {
      copyFileSync(join(fixtures, 'processes/verified.yaml'), join(get().project, '.sekisho/processes/verified.yaml'));
      office = await openOffice(get());
    });
    const once = (folder: string, ...args: string[]) =>
      get().cli(['runner', '--once', '--json', ...args], { cwd: folder });
    const plan = (steps: object) => ({ description: JSON.stringify(steps) });

    test(requires('work.runner'), async ({ world }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const next = await office.agent('b', project);
      const folder = runnerPlace(world, 'first', [agent, next]);
      const idle = await once(folder);
      expect(idle).toMatchObject({ code: 0, json: { started: [] } });
      world.write('report.md', 'it works');
      const task = await office.task(project, 't', 'in_progress', {
        assignee_id: agent.id,
        process_id: 'verified',
        ...plan({ handoff: next.id, submit: ['report.md'] }),
      });
      const started = await once(folder);
      expect(started.json['started']).toMatchObject([{ agentId: agent.id, projectId: project }]);
      await until(
        () => office.read(task),
        (found) => found['claimed_by'] === null && found['started_at'] !== null,
      );
      await until(
        async () => (await world.call('get_pending_handoffs', { agent_id: next.id })).value['handoffs'] as unknown[],
        (found) => found.length === 1,
      );
      const second = await once(folder);
      expect(second.json['started']).toMatchObject([{ agentId: next.id }]);
      await until(
        () => statusOf(office, task),
        (status) => status === 'done',
      );
      expect(await office.read(task)).toMatchObject({ assignee_id: next.id, summary: 'by the fixture' });
      const { value } = await world.call('list_agents', {});
      expect(value['agents'].map((one: any) => one.role).toSorted()).toEqual([agent.id, next.id].toSorted());
    });

    test(requires('work.execution.host'), async ({ world }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const folder = runnerPlace(world, 'hosted', [agent]);
      const task = await office.task(project, 't', 'in_progress', {
        assignee_id: agent.id,
        ...plan({ say: 'hello from the agent', sleep: 1500, exit: 3 }),
      });
      await once(folder);
      const logs = async () => (await world.call('list_execution_logs', { task_id: task })).value['logs'] as any[];
      const [begun] = await until(logs, (found) => found.length === 1);
      const followed = world.cli(['work', 'get-execution-log', '--execution-id', begun.executionId, '--follow']);
      await until(logs, ([one]) => one.status !== 'running');
      expect((await followed).stdout).toContain('hello from the agent');
      const { value } = await world.call('get_execution_log', { execution_id: begun.executionId });
      expect(value['log']).toMatchObject({ status: 'failed', exitCode: 3, completedAt: expect.any(String) });
      expect(value['log'].durationSeconds).toBeGreaterThan(1);
      expect(existsSync(value['log'].logFilePath)).toBe(true);
      // Its session and its claim ended with it.
      expect(await office.read(task)).toMatchObject({ status: 'in_progress', claimed_by: null });
      const should = await world.call('should_start', { agent_id: agent.id, project_id: project });
      expect(should.value['should_start']).toBe(true);
    });

    test(requires('work.runner.cooldown'), async ({ world }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const folder = runnerPlace(world, 'cooling', [agent], { cooldownMs: 60_000 });
      const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id, ...plan({ exit: 1 }) });
      expect((await once(folder)).json['started']).toHaveLength(1);
      const logs = async () => (await world.call('list_execution_logs', { task_id: task })).value['logs'] as any[];
      await until(logs, ([one]) => one !== undefined && one.status !== 'running');
      expect((await once(folder)).json['started']).toEqual([]);
      const hasty = runnerPlace(world, 'hasty', [agent], { cooldownMs: 1 });
      expect((await once(hasty)).json['started']).toHaveLength(1);
      await until(logs, (found) => found.length === 2 && found[0].status !== 'running');
    });

    test(requires('work.runner.stop'), async ({ world }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const folder = runnerPlace(world, 'stopping', [agent], { cooldownMs: 60_000 });
      const task = await office.task(project, 't', 'in_progress', {
        assignee_id: agent.id,
        ...plan({ sleep: 60_000 }),
      });
      const claimed = () => office.read(task).then((found) => found['claimed_by'] as string | null);
      const crashing = startRunner(world, folder);
      await until(claimed, (by) => by === agent.id);
      await stopRunner(crashing, 'SIGKILL');
      const should = async () =>
        (await world.call('should_start', { agent_id: agent.id, project_id: project })).value[
          'should_start'
        ] as boolean;
      expect(await should()).toBe(false);
      // The next one in the same place finds what the last one left.
      const stopped = await world.cli(['runner', '--stop', '--json'], { cwd: folder });
      expect(stopped.json).toEqual({ stopped: 1 });
      await until(claimed, (by) => by === null);
      expect(await should()).toBe(true);
    });

    test('an instance that loses its pair is ended by its own host', async ({ world }) => {
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const folder = runnerPlace(world, 'losing', [agent]);
      const task = await office.task(project, 't', 'in_progress', {
        assignee_id: agent.id,
        ...plan({ sleep: 60_000 }),
      });
      const { json } = await once(folder);
      await until(
        () => office.read(task),
        (found) => found['claimed_by'] === agent.id,
      );
      await office.admin('unassign_agent', { project_id: project, agent_id: agent.id });
      const agentId = json['started'][0].instance as string;
      const ended = await until(
        async () => (await world.call('get_agent_status', { agentId })).value,
        (found) => found['status'] !== 'running',
      );
      expect(ended['status']).toBe('failed');
    });

    test('passkeys of the environment do not reach the agents of others', async ({ world }) => {
      const project = await office.project('p');
      const [a, b] = [await office.agent('a', project), await office.agent('b', project)];
      const folder = runnerPlace(world, 'env', [], {
        commands: { scripted: [node, '-e', 'process.stdin.resume(); console.log(JSON.stringify(process.env))'] },
        passkeys: { [a.id]: '${env:A_KEY}', [b.id]: '${env:B_KEY}' },
      });
      await office.task(project, 't', 'in_progress', { assignee_id: a.id });
      const env = { A_KEY: a.passkey, B_KEY: b.passkey };
      const { json } = await world.cli(['runner', '--once', '--json'], { cwd: folder, env });
      const agentId = json['started'][0].instance as string;
      const printed = await until(
        async () => (await world.call('get_agent_log', { agentId })).text,
        (text) => text.includes('AGENT_ID'),
      );
      expect(printed).toContain(a.passkey);
      expect(printed).not.toContain(b.passkey);
      expect(printed).not.toContain('A_KEY');
    });

    test(requires('work.runner.claims'), async ({ world }) => {
      const project = await office.project('p');
      const agents = [await office.agent('a', project), await office.agent('b', project)];
      const folders = [runnerPlace(world, 'left', agents), runnerPlace(world, 'right', agents)];
      const tasks = [];
      for (const agent of agents)
        tasks.push(await office.task(project, 't', 'in_progress', { assignee_id: agent.id, ...plan({ sleep: 1000 }) }));
      const rounds = await Promise.all([...folders, ...folders].map((folder) => once(folder)));
      const started = rounds.flatMap((one) => one.json['started'] as { agentId: string }[]);
      expect(started.map((one) => one.agentId).toSorted()).toEqual(agents.map((one) => one.id).toSorted());
      for (const agent of agents) {
        const { value } = await world.call('should_start', { agent_id: agent.id, project_id: project });
        expect(value).toEqual({ should_start: false });
      }
      for (const task of tasks)
        await until(
          () => statusOf(office, task),
          (status) => status === 'done',
        );
    });

    test(requires('work.runner.url'), async ({ world }) => {
      const { url, token } = await world.daemon();
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const folder = runnerPlace(world, 'remote', [agent]);
      const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
      const env = { SEKISHO_RUNNER_TOKEN: token('agent') };
      const asked = await world.cli(['runner', '--once', '--json', '--url', `${url}/mcp`], { cwd: folder, env });
      expect(asked.json['started']).toHaveLength(1);
      await until(
        () => statusOf(office, task),
        (status) => status === 'done',
      );
    });
  });
});

describe('many agents, many projects', () => {
  inOneWorld('stdio', 'postgres', (test) => {
    const [agentCount, projectCount, kills] = full ? [20, 5, 40] : [6, 3, 4];

    test(
      requires('work.runner.soak'),
      async ({ world }) => {
        const office = await openOffice(world);
        const projects = await Promise.all(
          Array.from({ length: projectCount }, (_, index) => office.project(`p${index}`)),
        );
        const agents: Agent[] = [];
        for (let index = 0; index < agentCount; index++) agents.push(await office.agent(`a${index}`, ...projects));
        const tasks: string[] = [];
        for (const [index, agent] of agents.entries())
          for (const [turn, project] of projects.entries()) {
            const result = (index + turn) % 4 === 0 ? 'blocked' : 'success';
            const description = JSON.stringify({ sleep: 30, result });
            tasks.push(
              await office.task(project, `${index}/${turn}`, 'in_progress', { assignee_id: agent.id, description }),
            );
          }
        const folders = ['left', 'right'].map((name) => runnerPlace(world, name, agents, { cooldownMs: 50 }));
        const runners = folders.map((folder) => startRunner(world, folder, '--leave'));
        const open = async () => {
          const found = await Promise.all(
            projects.map((project_id) => world.call('list_tasks', { project_id, status: 'in_progress', limit: 500 })),
          );
          return found.reduce((sum, one) => sum + Number(one.value['tasks'].length), 0);
        };
        for (let kill = 0; kill < kills && (await open()) > 0; kill++) {
          await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 1500));
          const which = Math.floor(Math.random() * runners.length);
          await stopRunner(runners[which]!, 'SIGKILL');
          runners[which] = startRunner(world, folders[which]!, '--leave');
        }
        await until(open, (left) => left === 0, full ? 900_000 : 150_000);
        for (const [index, task] of tasks.entries()) {
          const { value } = await world.call('get_task_history', { task_id: task, limit: 500 });
          const ends = value['history'].filter((one: any) => ['done', 'blocked'].includes(one.changes.status?.to));
          expect(ends).toHaveLength(1);
          const [agent, turn] = [Math.floor(index / projectCount), index % projectCount];
          expect(ends[0].changes.status.to).toBe((agent + turn) % 4 === 0 ? 'blocked' : 'done');
        }
        await Promise.all(runners.map((child) => stopRunner(child)));
      },
      full ? 1_200_000 : 200_000,
    );
  });
});
