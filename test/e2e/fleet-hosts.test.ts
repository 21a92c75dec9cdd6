import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { isAlive, processes } from '../setup/processes.ts';
import { until } from '../setup/until.ts';
import {
  beatsOf,
  childrenOf,
  ended,
  fixtures,
  furnish,
  group,
  hostsOf,
  printed,
  start,
  status,
  steps,
} from './fleet-world.ts';
import { requires } from './requirements.ts';
import { story } from './story.ts';
import { inOneWorld, node } from './world.ts';

const gone = (pids: readonly number[]) =>
  until(
    'they have ended',
    () => pids.filter(isAlive),
    (left) => left.length === 0,
  );

describe('a host and its agent', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test.beforeEach(({ world }) => {
      const scripted = join(fixtures, 'scripted.mjs');
      furnish(world, `  - { id: narrow, cli: command, command: ["${node}", "${scripted}"], toolsets: [fleet] }\n`);
    });

    story(test, 'what becomes of what an agent prints', (clause) => {
      clause(requires('fleet.state-fields'), async ({ world }) => {
        const groupId = await group(world);
        const use = {
          type: 'assistant',
          message: { content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] },
        };
        const end = {
          type: 'result',
          is_error: false,
          result: 'Read it.',
          duration_ms: 5,
          usage: { input_tokens: 7, output_tokens: 3 },
          total_cost_usd: 0.5,
        };
        const init = { type: 'system', subtype: 'init', session_id: 's', model: 'model-x' };
        const { value } = await world.call('run_agents', {
          groupId,
          agents: [{ role: 'scripted', prompt: steps({ stream: init }, { stream: use }, { stream: end }) }],
        });
        const [agent = {}] = await ended(world, [value['agents'][0].agentId]);
        expect(agent).toEqual({
          agentId: value['agents'][0].agentId,
          groupId,
          role: 'scripted',
          model: 'model-x',
          status: 'completed',
          startedAt: expect.any(String),
          endedAt: expect.any(String),
          elapsed_ms: expect.any(Number),
          toolCallCount: 1,
          stageIndex: null,
          workingDirectory: world.project,
          lastActivity: 'Read it.',
          usage: { inputTokens: 7, outputTokens: 3, costUsd: 0.5 },
          exitCode: 0,
          result: {
            status: 'success',
            summary: 'Read it.',
            editedFiles: [],
            createdFiles: [],
            errorMessage: null,
            response: null,
            duration_ms: agent['elapsed_ms'],
            source: 'auto',
            timestamp: agent['endedAt'],
          },
        });
      });

      clause(requires('fleet.result.auto'), async ({ world }) => {
        const [id = ''] = await start(world, 'scripted', steps({ print: 'one' }, { print: 'two' }));
        const [agent] = await ended(world, [id]);
        expect(agent?.['result']).toMatchObject({ status: 'success', summary: 'one\ntwo', source: 'auto' });
      });

      clause(requires('fleet.result.reason'), async ({ world }) => {
        const ids = [
          ...(await start(world, 'error-inside', '')),
          ...(await start(world, 'crash-after-three-lines', '')),
          ...(await start(world, 'scripted', steps({ exit: 9 }))),
        ];
        const done = await ended(world, ids);
        expect(done.map((one) => one['status'])).toEqual(['failed', 'failed', 'failed']);
        const reasons = done.map((one) => one['result'].errorMessage as string);
        expect(reasons[0]).toBe('API Error: 400 out of tea');
        expect(done[0]?.['exitCode']).toBe(0);
        expect(reasons[1]).toContain('the fourth line was too much');
        expect(done[1]?.['result'].summary).toBe('one\ntwo\nthree');
        expect(reasons[2]).toContain('exit code 9');
      });

      clause(requires('fleet.log.torn'), async ({ world }) => {
        const [id = ''] = await start(world, 'torn', '');
        const [agent] = await ended(world, [id]);
        expect(agent).toMatchObject({ status: 'completed', toolCallCount: 1, result: { summary: 'whole after all' } });
        const { lines } = (await world.call('get_agent_log', { agentId: id })).value as { lines: string[] };
        expect(lines).toHaveLength(5);
        expect(lines[1]).toContain('\uFFFD');
        expect(lines[3]).toBe('');
        expect(lines[4]).toContain('whole after all');
      });

      clause(requires('fleet.host.stdin'), async ({ world }) => {
        const [id = ''] = await start(world, 'needs-stdin-closed', 'x'.repeat(200_000));
        const [agent] = await ended(world, [id]);
        expect(agent?.['result'].summary).toBe('heard 200000 characters');
      });
    });

    test(requires('fleet.flood'), async ({ world }) => {
      const [id = ''] = await start(world, 'flood', '100');
      await until(
        'it has printed all',
        () => status(world, id),
        (one) => one['lastActivity'] === 'the last line',
      );
      const [host] = hostsOf(id);
      const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${host?.pid}/status`, 'utf8'))?.[1]);
      world.write('measured', '');
      await ended(world, [id]);
      const agent = await status(world, id);
      expect(agent).toMatchObject({ status: 'completed', exitCode: 0 });
      expect(agent['result'].summary.split('\n').at(-1)).toBe('the last line');
      const folder = join(world.place.state, 'agents', id);
      const kept = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
      expect(kept.reduce((sum, one) => sum + one, 0)).toBeLessThan(17 * 1024 * 1024);
      const { lines } = (await world.call('get_agent_log', { agentId: id, limit: 3 })).value as { lines: string[] };
      expect(lines[0]).toMatch(/^\[\d+ bytes/);
      expect(lines[1]).toMatch(/^flood /);
      // 50 to 70 MB in ordinary work, by Node's version; whoever kept the flood of 100 MB would have 200.
      expect(peak / 1024).toBeLessThan(170);
    });

    test(requires('fleet.host.tree'), async ({ world }) => {
      const [stays = '', leaves = ''] = [
        ...(await start(world, 'grandchildren', 'stay')),
        ...(await start(world, 'grandchildren', 'leave')),
      ];
      const pidsOf = async (id: string) => {
        const lines = await printed(world, id);
        return (JSON.parse(lines[0] ?? '') as { pids: number[] }).pids;
      };
      const [one, two] = [await pidsOf(stays), await pidsOf(leaves)];
      expect(one.filter(isAlive)).toHaveLength(4);
      await world.call('cancel_agents', { agentIds: [stays] });
      const [cancelled, left] = await ended(world, [stays, leaves]);
      expect(cancelled).toMatchObject({ status: 'cancelled' });
      expect(left).toMatchObject({ status: 'completed' });
      expect([...one, ...two].filter(isAlive)).toEqual([]);
      expect([...childrenOf(stays), ...childrenOf(leaves)]).toEqual([]);
    });

    test(requires('fleet.cancel'), async ({ world }) => {
      const [id = ''] = await start(world, 'forever', '');
      await printed(world, id);
      const [host] = hostsOf(id);
      const children = childrenOf(id).map((one) => one.pid);
      expect(children).toHaveLength(1);
      await world.call('cancel_agents', { agentIds: [id] });
      const [agent] = await ended(world, [id]);
      expect(agent).toMatchObject({ status: 'cancelled', result: { status: 'cancelled', source: 'auto' } });
      await gone([...children, host?.pid ?? 0]);
    });

    test(requires('fleet.host.outlives'), async ({ world }) => {
      const first = await world.client();
      const { value } = await world.call('create_group', { description: 'outlives' }, first);
      const answer = await world.call(
        'run_agents',
        {
          groupId: value['groupId'],
          agents: [{ role: 'scripted', prompt: steps({ print: 'up' }, { until: 'go' }, { print: 'down' }) }],
        },
        first,
      );
      const id = answer.value['agents'][0].agentId as string;
      await printed(world, id);
      await first.close();
      const second = await world.client();
      world.write('go', '');
      const [agent] = await ended(world, [id], second);
      expect(agent).toMatchObject({ status: 'completed', result: { summary: 'up\ndown' } });
      await second.close();
    });

    test(requires('fleet.sequential.without-server'), async ({ world }) => {
      const run = (args: string[]) => world.cli(['fleet', ...args, '--json']);
      const { json: made } = await run(['create-group', '--description', 'alone']);
      const stages = [
        { tasks: [{ role: 'scripted', prompt: steps({ until: 'go' }) }] },
        { tasks: [{ role: 'scripted', prompt: steps({ write: ['stage-two.txt', 'was here'] }) }] },
      ];
      // The command line is gone when the second stage is due, and nobody asks.
      await run(['run-sequential', '--group-id', made['groupId'], '--stages', JSON.stringify(stages)]);
      world.write('go', '');
      await until('the second stage has run', () => existsSync(join(world.project, 'stage-two.txt')));
    });

    test(requires('fleet.host.dead'), async ({ world }) => {
      const [id = '', stubborn = ''] = [
        ...(await start(world, 'forever', '')),
        ...(await start(world, 'grandchildren', 'x')),
      ];
      await printed(world, id);
      const pids = (JSON.parse((await printed(world, stubborn))[0] ?? '') as { pids: number[] }).pids;
      const children = childrenOf(id).map((one) => one.pid);
      for (const { pid } of [...hostsOf(id), ...hostsOf(stubborn)]) process.kill(pid, 'SIGKILL');
      const done = await ended(world, [id, stubborn]);
      for (const one of done)
        expect(one).toMatchObject({ status: 'failed', result: { status: 'failure', source: 'auto' } });
      expect(done[0]?.['result'].errorMessage).toContain('host');
      await gone([...children, ...pids]);
    });

    test(requires('fleet.beats'), async ({ world }) => {
      const [id = ''] = await start(world, 'scripted', steps({ print: 'here' }, { until: 'go' }));
      await printed(world, id);
      // What it printed is in a heartbeat; after that nothing changes.
      await until(
        'its progress is known',
        () => status(world, id),
        (one) => one['lastActivity'] === 'here',
      );
      const rows = async () => {
        const { json } = await world.cli(['journal', 'list', '--limit', '500', '--json']);
        // Roles are checked in the background.
        return (json['entries'] as { kind: string }[])
          .map(({ kind }) => kind)
          .filter((kind) => kind !== 'role.checked');
      };
      const before = await rows();
      expect(before.filter((kind) => kind === 'agent.progress')).toHaveLength(1);
      const beats = beatsOf(world, id);
      await until('three more heartbeats', () => beatsOf(world, id) >= beats + 3);
      expect(await rows()).toEqual(before);
      const verified = await world.cli(['journal', 'verify']);
      expect(verified.code).toBe(0);
      for (const { pid } of hostsOf(id)) process.kill(pid, 'SIGKILL');
      expect(await ended(world, [id])).toMatchObject([{ status: 'failed' }]);
    });

    test(requires('fleet.host.child-killed'), async ({ world }) => {
      const [id = ''] = await start(world, 'forever', '');
      await printed(world, id);
      for (const { pid } of childrenOf(id)) process.kill(pid, 'SIGKILL');
      const [agent] = await ended(world, [id]);
      expect(agent).toMatchObject({ status: 'failed', result: { errorMessage: expect.stringContaining('SIGKILL') } });
    });

    test(requires('fleet.host.secrets'), async ({ world }) => {
      const [id = ''] = await start(world, 'forever', 'a prompt to be kept');
      await printed(world, id);
      const folder = join(world.place.state, 'agents', id);
      const config = JSON.parse(readFileSync(join(folder, 'mcp.json'), 'utf8')) as Record<string, any>;
      const token = config['mcpServers'].sekisho.env.SEKISHO_TOKEN as string;
      expect(token).toMatch(/^sk_/);
      expect(config['mcpServers'].sekisho).toMatchObject({
        command: expect.any(String),
        args: [expect.any(String), 'mcp'],
      });
      for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
      expect(statSync(folder).mode & 0o077).toBe(0);
      const seen = processes(() => true);
      for (const { command } of seen) {
        expect(command).not.toContain(token);
        expect(command).not.toContain('a prompt to be kept');
      }
      expect(childrenOf(id).some((one) => one.environment.includes(token))).toBe(false);
      await world.call('cancel_agents', { agentIds: [id] });
      await ended(world, [id]);
      expect(existsSync(join(folder, 'mcp.json'))).toBe(false);
    });

    test(requires('fleet.host.revoked'), async ({ world }) => {
      const [id = ''] = await start(world, 'forever', '');
      await printed(world, id);
      const config = join(world.place.state, 'agents', id, 'mcp.json');
      const { env } = (JSON.parse(readFileSync(config, 'utf8')) as Record<string, any>)['mcpServers'].sekisho;
      const own = await world.client({ env });
      const report = { status: 'success', summary: 'by its own connection' };
      expect((await world.call('report_result', report, own)).isError).toBe(false);
      await world.call('cancel_agents', { agentIds: [id] });
      await ended(world, [id]);
      const late = await world.client({ env });
      expect((await world.call('report_result', report, late)).value).toMatchObject({ error: true, code: 'FORBIDDEN' });
      await Promise.all([own.close(), late.close()]);
    });

    test(requires('fleet.mcp.toolsets'), async ({ world }) => {
      const [id = ''] = await start(world, 'narrow', steps({ call: ['tools/list', {}] }));
      const [agent = {}] = await ended(world, [id]);
      const tools = (agent['result'].summary as string).split(' ');
      expect(tools).toContain('report_result');
      expect(tools.some((one) => one.startsWith('state_gate'))).toBe(false);
    });
  });
});

describe('in a git repository', () => {
  const repository = (project: string) => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project, encoding: 'utf8' });
    writeFileSync(join(project, 'kept.txt'), 'alpha\n');
    writeFileSync(join(project, '.gitignore'), '.sekisho/\n');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'start');
    writeFileSync(join(project, 'dirty.txt'), 'dirty before\n');
    return git;
  };

  inOneWorld('stdio', 'sqlite', (test) => {
    test(requires('fleet.files.git'), async ({ world }) => {
      furnish(world);
      repository(world.project);
      const [id = ''] = await start(
        world,
        'scripted',
        steps({ write: ['kept.txt', 'beta'] }, { write: ['new.txt', 'new'] }, { print: 'done' }),
      );
      const [agent] = await ended(world, [id]);
      // What was changed before is not its work.
      expect(agent?.['result']).toMatchObject({ editedFiles: ['kept.txt'], createdFiles: ['new.txt'] });
    });

    test(requires('fleet.isolation'), async ({ world }) => {
      furnish(world, '', 'isolation: worktree');
      const git = repository(world.project);
      const ids = [
        ...(await start(world, 'scripted', steps({ write: ['kept.txt', 'mine'] }, { write: ['new.txt', 'mine too'] }))),
        ...(await start(world, 'scripted', steps({ print: 'changed nothing' }))),
      ];
      const [changed = {}, idle] = await ended(world, ids);
      expect(changed).toMatchObject({
        status: 'completed',
        result: { editedFiles: ['kept.txt'], createdFiles: ['new.txt'] },
      });
      expect(readFileSync(join(world.project, 'kept.txt'), 'utf8')).toBe('alpha\n');
      // Its host has recorded the work on a branch; a tree in which nothing changed is gone, and there is no branch.
      expect(changed['workingDirectory']).toBe(join(world.place.worktrees, ids[0] ?? ''));
      expect(readFileSync(join(changed['workingDirectory'], 'new.txt'), 'utf8')).toBe('mine too');
      expect(git('show', `sekisho/${ids[0]}:new.txt`)).toBe('mine too');
      expect(git('show', `sekisho/${ids[0]}:kept.txt`)).toBe('mine');
      expect(idle?.['workingDirectory']).toBe(join(world.place.worktrees, ids[1] ?? ''));
      expect(readdirSync(world.place.worktrees)).toEqual([ids[0]]);
      expect(git('branch', '--list', 'sekisho/*').trim()).toBe(`sekisho/${ids[0]}`);
      expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
      expect(git('for-each-ref', 'refs/sekisho/new')).toBe('');
      const change = changed['change'] as Record<string, unknown>;
      expect(change).toMatchObject({
        branch: `sekisho/${ids[0]}`,
        files: 2,
        additions: 2,
        deletions: 1,
        state: 'open',
      });
      expect(change['commit']).toBe(git('rev-parse', `sekisho/${ids[0]}`).trim());
      expect(idle?.['change']).toBeUndefined();
    });
  });
});
