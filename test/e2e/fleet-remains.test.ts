import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../setup/until.ts';
import { beatsOf, ended, furnish, group, hostsOf, printed, start, status, steps } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { type World, inOneWorld, inTwoWorlds } from './world.ts';

function repository(project: string) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project, encoding: 'utf8' });
  writeFileSync(join(project, 'kept.txt'), 'alpha\n');
  writeFileSync(join(project, '.gitignore'), '.sekisho/\n');
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'start');
  return git;
}

const kept = (world: World, id: string) => readdirSync(join(world.place.state, 'agents', id));

/** An ended agent of a dead host is shown before what it left is gone. */
const swept = (world: World, id: string) =>
  until(
    'it was swept',
    async () => {
      await status(world, id);
      return kept(world, id);
    },
    (names) => names.every((name) => name.startsWith('output-')),
  );

inTwoWorlds('what a host leaves', (test) => {
  test(requires('fleet.host.remains'), async ({ world }) => {
    furnish(world, '  - { id: apart, cli: command, command: [node, agent.mjs], isolation: worktree }\n');
    const scripted = join(import.meta.dirname, '../fixtures/agents/scripted.mjs');
    world.write('agent.mjs', readFileSync(scripted, 'utf8'));
    const git = repository(world.project);
    // Git lists it, and nobody can follow it.
    symlinkSync('loop', join(world.project, 'loop'));
    const use = { type: 'assistant', message: { content: [{ type: 'text', text: 'Half of it is done.' }] } };
    const work = [{ write: ['kept.txt', 'beta'] }, { write: ['new.txt', 'new'] }, { stream: use }, { until: 'never' }];
    const [here = ''] = await start(world, 'scripted', steps(...work));
    const [idle = ''] = await start(world, 'apart', steps({ print: 'up' }, { until: 'never' }));
    const [busy = ''] = await start(world, 'apart', steps(...work));
    const ids = [here, idle, busy];
    for (const id of ids) await printed(world, id);
    expect(kept(world, here)).toContain('mcp.json');
    for (const id of ids) for (const { pid } of hostsOf(id)) process.kill(pid, 'SIGKILL');
    const done = await ended(world, ids);
    expect(done.map((one) => one['status'])).toEqual(['failed', 'failed', 'failed']);
    expect(done[0]?.['result']).toMatchObject({
      summary: 'Half of it is done.',
      editedFiles: ['kept.txt'],
      createdFiles: ['new.txt'],
      errorMessage: expect.stringContaining('host'),
    });
    expect(done[2]?.['result']).toMatchObject({ editedFiles: ['kept.txt'], createdFiles: ['new.txt'] });
    for (const id of ids) await swept(world, id);
    // The log is still there, and the work is recorded on a branch; a tree in which nothing changed is gone.
    expect((await world.call('get_agent_log', { agentId: idle })).value['lines']).toEqual(['up']);
    expect(readdirSync(world.place.worktrees)).toEqual([busy]);
    expect(readFileSync(join(world.place.worktrees, busy, 'new.txt'), 'utf8')).toBe('new');
    expect(git('branch', '--list', 'sekisho/*').trim()).toBe(`sekisho/${busy}`);
    const folder = async (id: string) => (await status(world, id))['workingDirectory'] as string;
    expect(await folder(idle)).toBe(join(world.place.worktrees, idle));
    expect(await folder(busy)).toBe(join(world.place.worktrees, busy));
  });
});

inTwoWorlds('what no database can keep', (test) => {
  test(`${requires('fleet.result.auto')} (an output with NUL, and what follows it)`, async ({ world }) => {
    furnish(world);
    const strange = steps({ print: 'a\0b' }, { error: 'c\0d' }, { print: 'last \0' });
    const { value } = await world.call('run_sequential', {
      groupId: await group(world),
      stages: [
        { tasks: [{ role: 'scripted', prompt: strange }] },
        { tasks: [{ role: 'scripted', prompt: '[{"echo":true}]' }] },
      ],
    });
    const ids = (value['stages'] as { agentIds: string[] }[]).flatMap(({ agentIds }) => agentIds);
    const done = await ended(world, ids);
    expect(done.map((one) => one['status'])).toEqual(['completed', 'completed']);
    expect(done[0]?.['result'].summary).toBe('a\ufffdb\nlast \ufffd');
    expect(done[1]?.['result'].summary).toContain('a\ufffdb');
  });
});

inOneWorld('stdio', 'sqlite', (test) => {
  test(`${requires('fleet.host.remains')} (one that still makes its tree lives, and can be cancelled)`, async ({
    world,
  }) => {
    const folder = join(world.project, '../slow');
    furnish(world, `  - { id: apart, cli: command, command: [touch, "${folder}/ran"], isolation: worktree }\n`);
    repository(world.project);
    mkdirSync(folder);
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const waits = `touch ${folder}/begun; until [ -e ${folder}/go ]; do sleep 0.1; done`;
    const slow = `#!/bin/sh\ncase " $* " in *" init "*) ${waits};; esac\nexec ${real} "$@"\n`;
    writeFileSync(join(folder, 'git'), slow, { mode: 0o755 });
    const client = await world.client({ env: { PATH: `${folder}:${world.env['PATH']}` } });
    const { value } = await world.call(
      'run_agents',
      { groupId: await group(world), agents: [{ role: 'apart', prompt: '' }] },
      client,
    );
    const agentId = value['agents'][0].agentId as string;
    await until('git is at it', () => existsSync(join(folder, 'begun')));
    // The claim counts as the first heartbeat.
    await until('it shows that it lives', () => beatsOf(world, agentId) > 1);
    await world.call('cancel_agents', { agentIds: [agentId] }, client);
    writeFileSync(join(folder, 'go'), '');
    expect(await ended(world, [agentId])).toMatchObject([{ status: 'cancelled' }]);
    expect(existsSync(join(folder, 'ran'))).toBe(false);
    await until(
      'nothing is left',
      () => readdirSync(world.place.worktrees),
      (list) => list.length === 0,
    );
  });

  test(requires('fleet.isolation.commit'), async ({ world }) => {
    furnish(world, '  - { id: apart, cli: command, command: ["true"], isolation: worktree }\n');
    const task = { role: 'apart', prompt: '' };
    const attempts = async () => {
      const groups = [await group(world), await group(world)];
      const both = [
        await world.call('run_agents', { groupId: groups[0], agents: [task] }),
        await world.call('run_sequential', { groupId: groups[1], stages: [{ tasks: [task] }] }),
      ];
      return both.map((one) => one.value);
    };
    const refused = [
      { code: 'AGENTS_START_FAILED', message: expect.stringContaining('commit') },
      { code: 'SEQUENTIAL_START_FAILED', message: expect.stringContaining('commit') },
    ];
    expect(await attempts()).toMatchObject(refused);
    execFileSync('git', ['init', '-q'], { cwd: world.project });
    expect(await attempts()).toMatchObject(refused);
    expect((await world.call('list_agents')).value['total']).toBe(0);
    repository(world.project);
    const [first, second] = await attempts();
    const ids = [first, second].map((one) => one?.['agents'][0].agentId as string);
    for (const one of await ended(world, ids)) expect(one).toMatchObject({ status: 'completed' });
    expect(existsSync(world.place.worktrees) ? readdirSync(world.place.worktrees) : []).toEqual([]);
  });
});
