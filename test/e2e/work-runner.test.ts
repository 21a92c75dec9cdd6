import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { until } from '../setup/until.ts';
import { hostsOf } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld, node } from './world.ts';
import { runnerPlace, startRunner, stopRunner } from './runner-world.ts';
import { type Office, openOffice, workStory } from './work-world.ts';

const fixtures = join(import.meta.dirname, '../fixtures');

const statusOf = async (office: Office, task: string) => (await office.read(task))['status'] as string;

describe.each([
  ['stdio', 'sqlite'],
  ['http', 'postgres'],
] as const)('the Runner (%s, %s)', (surface, database) => {
  inOneWorld(surface, database, (test) => {
    test.beforeEach(({ world }) =>
      copyFileSync(join(fixtures, 'processes/verified.yaml'), join(world.project, '.sekisho/processes/verified.yaml')),
    );
    const once = (world: World, folder: string) => world.cli(['runner', '--once', '--json'], { cwd: folder });
    const plan = (steps: object) => ({ description: JSON.stringify(steps) });

    workStory(test, 'instances', (clause) => {
      clause(requires('work.runner'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const next = await office.agent('b', project);
        const folder = await runnerPlace(world, 'first', [agent, next]);
        const idle = await once(world, folder);
        expect(idle).toMatchObject({ code: 0, json: { started: [] } });
        world.write('report.md', 'it works');
        const task = await office.task(project, 't', 'in_progress', {
          assignee_id: agent.id,
          process_id: 'verified',
          ...plan({ handoff: next.id, submit: ['report.md'] }),
        });
        const started = await once(world, folder);
        expect(started.json['started']).toMatchObject([{ agentId: agent.id, projectId: project }]);
        await until(
          'it has come so far',
          () => office.read(task),
          (found) => found['claimed_by'] === null && found['started_at'] !== null,
        );
        await until(
          'it has come so far',
          async () => (await world.call('get_pending_handoffs', { agent_id: next.id })).value['handoffs'] as unknown[],
          (found) => found.length === 1,
        );
        const second = await once(world, folder);
        expect(second.json['started']).toMatchObject([{ agentId: next.id }]);
        await until(
          'it has come so far',
          () => statusOf(office, task),
          (status) => status === 'done',
        );
        expect(await office.read(task)).toMatchObject({ assignee_id: next.id, summary: 'by the fixture' });
        const { value } = await world.call('list_agents', {});
        expect(value['agents'].map((one: any) => one.role).toSorted()).toEqual([agent.id, next.id].toSorted());
      });

      clause(requires('work.execution.host'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const folder = await runnerPlace(world, 'hosted', [agent]);
        const task = await office.task(project, 't', 'in_progress', {
          assignee_id: agent.id,
          ...plan({ say: 'hello from the agent', until: 'followed', exit: 3 }),
        });
        await once(world, folder);
        const logs = () => office.logs(task);
        const [begun] = await until('it has begun', logs, (found) => found.length === 1);
        const followed = world.cli([
          'work',
          'get-execution-log',
          '--execution-id',
          begun.executionId,
          '--follow',
          '--json',
        ]);
        world.write('followed', '');
        await until('it has ended', logs, ([one]) => one.status !== 'running');
        expect((await followed).stdout).toContain('hello from the agent');
        const { value } = await world.call('get_execution_log', { execution_id: begun.executionId });
        expect(value['log']).toMatchObject({ status: 'failed', exitCode: 3, completedAt: expect.any(String) });
        expect(value['log'].durationSeconds).toBeGreaterThan(0);
        expect(existsSync(value['log'].logFilePath)).toBe(true);
        // Its session and its claim ended with it.
        expect(await office.read(task)).toMatchObject({ status: 'in_progress', claimed_by: null });
        const should = await world.call('should_start', { agent_id: agent.id, project_id: project });
        expect(should.value['should_start']).toBe(true);
      });

      clause(requires('work.runner.cooldown'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const folder = await runnerPlace(world, 'cooling', [agent], { cooldownMs: 3_600_000 });
        const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id, ...plan({ exit: 1 }) });
        expect((await once(world, folder)).json['started']).toHaveLength(1);
        const logs = () => office.logs(task);
        await until('it has failed', logs, ([one]) => one !== undefined && one.status !== 'running');
        const resting = (await once(world, folder)).json;
        expect(resting['started']).toEqual([]);
        expect(resting['waiting']).toContainEqual({
          agentId: agent.id,
          projectId: project,
          for: 'rest',
          failures: 1,
          until: expect.any(String),
        });
        const hasty = await runnerPlace(world, 'hasty', [agent], { cooldownMs: 1 });
        expect((await once(world, hasty)).json['started']).toHaveLength(1);
        await until('it has failed again', logs, (found) => found.length === 2 && found[0].status !== 'running');
      });

      clause(requires('work.runner.stop'), async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const folder = await runnerPlace(world, 'stopping', [agent], { cooldownMs: 3_600_000 });
        const task = await office.task(project, 't', 'in_progress', {
          assignee_id: agent.id,
          ...plan({ sleep: 600_000 }),
        });
        const claimed = () => office.read(task).then((found) => found['claimed_by'] as string | null);
        const crashing = startRunner(world, folder);
        await until('it is claimed', claimed, (by) => by === agent.id);
        await stopRunner(crashing, 'SIGKILL');
        const should = async () =>
          (await world.call('should_start', { agent_id: agent.id, project_id: project })).value[
            'should_start'
          ] as boolean;
        expect(await should()).toBe(false);
        // The next one in the same place finds what the last one left.
        const stopped = await world.cli(['runner', '--stop', '--json'], { cwd: folder });
        expect(stopped.json).toEqual({ stopped: 1 });
        await until('it is free', claimed, (by) => by === null);
        expect(await should()).toBe(true);
      });
    });

    workStory(test, 'until nothing is left', (clause) => {
      clause(`${requires('work.runner.until-idle')} ${requires('work.runner.says')}`, async ({ world, office }) => {
        const { project_id: project } = await office.admin('create_project', {
          name: 'chain',
          working_directory: world.project,
          auto_start: true,
        });
        const agents = [await office.agent('a', project as string), await office.agent('b', project as string)];
        const stuck = await office.agent('without a passkey', project as string);
        await office.task(project as string, 'stuck', 'in_progress', { assignee_id: stuck.id });
        const { task_ids: ids } = (await office.admin('create_tasks', {
          project_id: project,
          // Each costs three processes: twelve are enough once.
          tasks: Array.from({ length: surface === 'stdio' ? 12 : 4 }, (_, n) => ({
            key: `t${n}`,
            title: `t${n}`,
            assignee_id: agents[n % 2]!.id,
            depends_on: n === 0 ? [] : [`t${n - 1}`],
          })),
        })) as { task_ids: string[] };
        await office.admin('move_tasks', { task_ids: ids, status: 'todo' });
        await office.move(ids[0]!, 'in_progress');
        const folder = await runnerPlace(world, 'chain', agents);
        const { code, stdout } = await world.cli(['runner', '--until-idle', '--json'], { cwd: folder });
        for (const id of ids) expect(await statusOf(office, id)).toBe('done');
        const events = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, any>);
        const of = (event: string) => events.filter((one) => one['event'] === event);
        expect(of('started').map((one) => one['agentId'])).toEqual(ids.map((_, n) => agents[n % 2]!.id));
        expect(of('ended')).toHaveLength(ids.length);
        for (const one of of('ended'))
          expect(one).toMatchObject({ projectId: project, status: 'completed', exitCode: 0 });
        // It is said once, not at every round, and it is why the end is not a success.
        expect(of('waits').filter((one) => one['agentId'] === stuck.id)).toMatchObject([
          { for: 'person', reason: expect.stringContaining('no passkey') },
        ]);
        expect(events.at(-1)).toMatchObject({ event: 'idle', timestamp: expect.any(String) });
        expect(code).toBe(1);
      });

      clause(
        `${requires('work.runner.says')} (at a terminal of 80 columns: a page with the task and the whole reason)`,
        async ({ world, office }) => {
          const project = await office.project('shown');
          const agent = await office.agent('worker', project);
          const stuck = await office.agent('without a passkey', project);
          const task = await office.task(project, 'shown', 'in_progress', {
            assignee_id: agent.id,
            ...plan({ sleep: 300 }),
          });
          await office.task(project, 'a task that waits', 'in_progress', { assignee_id: stuck.id });
          const folder = await runnerPlace(world, 'shown', [agent]);
          const screen = await atTerminal({ project: folder, env: world.env }, [], {
            shell: (sekisho) => `stty cols 80 rows 24; exec ${sekisho} runner --until-idle`,
          });
          expect(screen.code).toBe(1);
          expect(await statusOf(office, task)).toBe('done');
          const pages = screen.text.split('\u001B[H').map((page) => stripVTControlCharacters(page));
          expect(pages.some((page) => /● worker in shown, task "shown" +0:/.test(page))).toBe(true);
          const last = pages.at(-1) ?? '';
          expect(last).toContain('! without a passkey in shown, task "a task that waits"\n    no passkey for "agt_');
          // The end of the reason says what to type.
          const reason = last.slice(0, last.indexOf('\n\n')).replaceAll(/\s+/g, ' ');
          expect(reason).toContain(
            `sekisho admin rotate-passkey --agent-id ${stuck.id} --keep gives it a new one here`,
          );
          expect(last).toMatch(/worker in shown, task "shown" ended: completed/);
          expect(last).not.toMatch(/[{}…]|undefined|\[object/);
          for (const line of last.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
          // The cursor is there again, and below the page.
          expect(screen.text.endsWith('\u001B[?25h\n')).toBe(true);
        },
      );

      clause(requires('work.runner.refused'), async ({ world }) => {
        const { url } = await world.daemon();
        const folder = await runnerPlace(world, 'refused', []);
        const { code, stderr } = await world.cli(['runner', '--once', '--url', `${url}/mcp`], { cwd: folder });
        expect(code).toBe(3);
        expect(stderr).toContain('SEKISHO_RUNNER_TOKEN');
        expect(stderr).not.toMatch(/^\s+at /m);
      });
    });

    workStory(test, 'several of them', (clause) => {
      clause('an instance that loses its pair is ended by its own host', async ({ world, office }) => {
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const folder = await runnerPlace(world, 'losing', [agent]);
        const task = await office.task(project, 't', 'in_progress', {
          assignee_id: agent.id,
          ...plan({ sleep: 600_000 }),
        });
        const { json } = await once(world, folder);
        await until(
          'it has come so far',
          () => office.read(task),
          (found) => found['claimed_by'] === agent.id,
        );
        await office.admin('unassign_agent', { project_id: project, agent_id: agent.id });
        const agentId = json['started'][0].instance as string;
        const ended = await until(
          'it has come so far',
          async () => (await world.call('get_agent_status', { agentId })).value,
          (found) => found['status'] !== 'running',
        );
        expect(ended['status']).toBe('failed');
      });

      clause('passkeys of the environment do not reach the agents of others', async ({ world, office }) => {
        const project = await office.project('p');
        const [a, b] = [await office.agent('a', project), await office.agent('b', project)];
        const folder = await runnerPlace(world, 'env', [], {
          commands: { scripted: [node, '-e', 'process.stdin.resume(); console.log(JSON.stringify(process.env))'] },
          passkeys: { [a.id]: '${env:A_KEY}', [b.id]: '${env:B_KEY}' },
        });
        await office.task(project, 't', 'in_progress', { assignee_id: a.id });
        const env = { A_KEY: a.passkey, B_KEY: b.passkey };
        const { json } = await world.cli(['runner', '--once', '--json'], { cwd: folder, env });
        const agentId = json['started'][0].instance as string;
        const printed = await until(
          'it has come so far',
          async () => (await world.call('get_agent_log', { agentId })).text,
          (text) => text.includes('AGENT_ID'),
        );
        expect(printed).toContain(a.passkey);
        expect(printed).not.toContain(b.passkey);
        expect(printed).not.toContain('A_KEY');
      });

      clause(requires('work.runner.claims'), async ({ world, office }) => {
        const project = await office.project('p');
        const agents = [await office.agent('a', project), await office.agent('b', project)];
        const folders = [await runnerPlace(world, 'left', agents), await runnerPlace(world, 'right', agents)];
        const tasks = [];
        for (const agent of agents)
          tasks.push(
            await office.task(project, 't', 'in_progress', { assignee_id: agent.id, ...plan({ until: 'claimed' }) }),
          );
        const rounds = await Promise.all([...folders, ...folders].map((folder) => once(world, folder)));
        const started = rounds.flatMap((one) => one.json['started'] as { agentId: string }[]);
        expect(started.map((one) => one.agentId).toSorted()).toEqual(agents.map((one) => one.id).toSorted());
        for (const agent of agents) {
          const { value } = await world.call('should_start', { agent_id: agent.id, project_id: project });
          expect(value).toEqual({ should_start: false });
        }
        world.write('claimed', '');
        for (const task of tasks)
          await until(
            'it has come so far',
            () => statusOf(office, task),
            (status) => status === 'done',
          );
      });

      clause(requires('work.runner.url'), async ({ world, office }) => {
        const { url, token } = await world.daemon();
        const project = await office.project('p');
        const agent = await office.agent('a', project);
        const folder = await runnerPlace(world, 'remote', [agent]);
        const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
        const env = { SEKISHO_RUNNER_TOKEN: token('agent') };
        const asked = await world.cli(['runner', '--once', '--json', '--url', `${url}/mcp`], { cwd: folder, env });
        expect(asked.json['started']).toHaveLength(1);
        await until(
          'it has come so far',
          () => statusOf(office, task),
          (status) => status === 'done',
        );
      });
    });
  });
});

describe('a host that comes late or never', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test.beforeEach(({ world }) =>
      copyFileSync(join(fixtures, 'processes/verified.yaml'), join(world.project, '.sekisho/processes/verified.yaml')),
    );

    /** A round of a Runner whose hosts wait for the file `go`; the id of the instance that it started. */
    const startHeld = async (world: World, folder: string): Promise<string> => {
      const env = {
        NODE_OPTIONS: `--require=${join(fixtures, 'preload/hold-host.cjs')}`,
        HOLD_UNTIL: join(world.project, 'go'),
      };
      const { json } = await world.cli(['runner', '--once', '--json'], { cwd: folder, env });
      return json['started'][0].instance as string;
    };

    test('leaves alone what another instance of its pair has got meanwhile', async ({ world }) => {
      const office = await openOffice(world);
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      const task = await office.task(project, 't', 'in_progress', { assignee_id: agent.id, process_id: 'verified' });
      const instance = await startHeld(world, await runnerPlace(world, 'late', [agent]));
      // The pair is taken from it, and somebody else works for the agent.
      await office.admin('unassign_agent', { project_id: project, agent_id: agent.id });
      await office.admin('assign_agent', { project_id: project, agent_id: agent.id });
      await world.call('get_my_task', { session_token: await office.login(agent, project) });
      const { run_id: run } = await office.read(task);
      const bound = async () =>
        (await world.cli(['gate', 'get-state', '--json'], { env: { AGENT_ID: agent.id, PROJECT_ID: project } })).json;
      expect(await bound()).toMatchObject({ run_id: run });
      world.write('go', '');
      await until('the host has looked and left', () => hostsOf(instance).length === 0);
      expect((await world.call('get_agent_status', { agentId: instance })).value['status']).toBe('cancelled');
      expect(await bound()).toMatchObject({ run_id: run });
    });

    test('is not started again without the secrets that it was to pass on', async ({ world }) => {
      const office = await openOffice(world);
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      await office.task(project, 't', 'in_progress', { assignee_id: agent.id });
      const instance = await startHeld(world, await runnerPlace(world, 'never', [agent]));
      for (const { pid } of hostsOf(instance)) process.kill(pid, 'SIGKILL');
      const status = async () => (await world.call('get_agent_status', { agentId: instance })).value;
      const ended = await until('it is given up', status, (one) => one['status'] !== 'queued');
      expect(ended).toMatchObject({ status: 'failed', startedAt: null });
      const { json } = await world.cli(['journal', 'list', '--subject', instance, '--json']);
      expect(json['entries'].map((one: any) => one.kind)).not.toContain('agent.host_started_again');
    });
  });
});

const missing = getBubblewrap();
if (missing !== undefined && process.env['CI'] !== undefined)
  throw new Error(`Instances in the sandbox cannot be tested: ${missing}`);

describe('an instance asks whether it is in a sandbox', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    /** What `get_state` tells an instance that submits evidence for its task. */
    const askInside = async (world: World, sandbox: string): Promise<string> => {
      copyFileSync(join(fixtures, 'processes/verified.yaml'), join(world.project, '.sekisho/processes/verified.yaml'));
      world.write('.sekisho/config.yaml', `sandbox: ${sandbox}\n`);
      world.write('report.md', 'it works');
      const office = await openOffice(world);
      const project = await office.project('p');
      const agent = await office.agent('a', project);
      await office.task(project, 't', 'in_progress', {
        assignee_id: agent.id,
        process_id: 'verified',
        description: JSON.stringify({ submit: ['report.md'] }),
      });
      const folder = await runnerPlace(world, 'asking', [agent]);
      const { json } = await world.cli(['runner', '--once', '--json'], { cwd: folder });
      const agentId = json['started'][0].instance as string;
      const line = await until(
        'it has asked',
        async () =>
          ((await world.call('get_agent_log', { agentId })).value['lines'] as string[]).find((one) =>
            one.includes('state_gate.get_state: '),
          ) ?? '',
        (found) => found !== '',
      );
      return JSON.stringify(JSON.parse(line.slice(line.indexOf('{')))['sandbox']);
    };

    test('where there is none, it is told so', async ({ world }) => {
      expect(await askInside(world, 'off')).toContain('"state":"off"');
    });

    test.skipIf(missing !== undefined)('where there is one, it is told which', async ({ world }) => {
      expect(await askInside(world, 'required')).toMatch(/"state":"on".*bwrap/);
    });
  });
});
