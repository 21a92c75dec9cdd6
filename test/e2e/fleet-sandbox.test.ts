import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { type AgentState, type Step, ended, fixtures, group, hostsOf, start, steps } from './fleet-world.ts';
import { type World, inOneWorld, node } from './world.ts';
import { row } from '../setup/security.ts';

const missing = getBubblewrap();
if (missing !== undefined) {
  if (process.env['CI'] !== undefined) throw new Error(`agents in the sandbox cannot be tested: ${missing}`);
  process.stderr.write(`\n*** agents in the sandbox ARE NOT TESTED: ${missing} ***\n\n`);
}

/** Roles that run the scripted agent, each with its own `sandbox`. */
function furnish(world: World, sandbox: string): void {
  const line = `cli: command, command: ["${node}", "${join(fixtures, 'scripted.mjs')}"]`;
  world.write(
    '.sekisho/config.yaml',
    `sandbox: ${sandbox}
roles:
  - { id: scripted, ${line} }
  - { id: free, ${line}, sandbox: off }
  - { id: kept, ${line}, sandbox: required }
  - { id: apart, ${line}, sandbox: required, isolation: worktree }
  - { id: shell, cli: command, command: [/bin/sh], sandbox: required, toolsets: [gate] }
  - { id: reader, ${line}, sandbox: required, permissions: read }
`,
  );
}

const mark = (world: World) => join(world.place.state, 'sandboxed');
const run = async (world: World, role: string, ...list: readonly Step[]): Promise<AgentState> => {
  const [agent = {}] = await ended(world, await start(world, role, steps(...list)));
  return agent;
};
const shell = async (world: World, script: string): Promise<AgentState> => {
  const [agent = {}] = await ended(world, await start(world, 'shell', script));
  return agent;
};
const answer = (agent: AgentState) => agent['result'].summary as string;

describe.skipIf(missing !== undefined)('an agent in the sandbox', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test('that is only to read cannot change a file, whatever its program', async ({ world }) => {
      furnish(world, 'required');
      writeFileSync(join(world.project, 'kept.txt'), 'alpha');
      const report = { status: 'success', summary: 'looked' };
      const looked = await run(world, 'reader', { print: 'up' }, { call: ['report_result', report] });
      expect(looked).toMatchObject({ status: 'resultReported', result: report });
      const wrote = await run(world, 'reader', { write: ['kept.txt', 'beta'] });
      expect(wrote).toMatchObject({ status: 'failed' });
      expect(wrote['result'].errorMessage).toContain('EROFS');
      expect(readFileSync(join(world.project, 'kept.txt'), 'utf8')).toBe('alpha');
    });

    test(`${row('sandbox.child')} starts nobody outside of it`, async ({ world }) => {
      furnish(world, 'auto');
      const groupId = await group(world);
      const child = (role: string) => ({
        call: ['run_agents', { groupId, agents: [{ role, prompt: steps({ print: 'up' }) }] }],
      });
      const agent = await run(world, 'kept', child('free'), child('scripted'));
      const { value } = await world.call('get_agent_log', { agentId: agent['agentId'] });
      expect(value['lines'][0]).toContain('sandbox: off');
      const { agents } = JSON.parse(value['lines'][1]) as { agents: { agentId: string }[] };
      const [started] = await ended(world, [agents[0]?.agentId ?? '']);
      expect(started).toMatchObject({ role: 'scripted', status: 'completed' });
      const { json } = await world.cli(['journal', 'list', '--subject', agents[0]?.agentId ?? '', '--json']);
      expect(json['entries'].map((one: { kind: string }) => one.kind)).toContain('agent.confined');
    });

    test('has its server back as itself, through a socket that its host serves', async ({ world }) => {
      furnish(world, 'required');
      await world.call('state_gate.create_run', { process_id: 'review' });
      const agent = await run(
        world,
        'scripted',
        { write: ['made.txt', 'x'] },
        { call: ['state_gate.get_state', {}] },
        { call: ['report_result', { status: 'success', summary: 'From inside', createdFiles: ['made.txt'] }] },
      );
      expect(agent).toMatchObject({
        status: 'resultReported',
        exitCode: 0,
        result: { summary: 'From inside', createdFiles: ['made.txt'], source: 'report' },
      });
      expect(readFileSync(join(world.project, 'made.txt'), 'utf8')).toBe('x');
      const { value } = await world.call('get_agent_log', { agentId: agent['agentId'] });
      expect(JSON.stringify(value['lines'])).toContain(String.raw`\"sandbox\":{\"state\":\"on\"`);
      const { json } = await world.cli(['journal', 'list', '--subject', agent['agentId'] as string, '--json']);
      const kinds = (json['entries'] as { kind: string; data: object }[]).map(({ kind, data }) => ({ kind, data }));
      expect(kinds).toContainEqual({ kind: 'agent.confined', data: { ring: 3, sandbox: 'bwrap', allow: [] } });
    });

    test(`${row('sandbox.fleet')} reaches neither the store nor a token nor the gate’s files, and leaves nothing of the sandbox behind`, async ({
      world,
    }) => {
      furnish(world, 'auto');
      execFileSync('git', ['init', '-q'], { cwd: world.project });
      const { state } = world.place.data;
      const agent = await shell(
        world,
        `env | grep -c 'SEKISHO_\\(DB\\|TOKEN\\|PROJECT\\)'; ls ${state} ${world.place.state} .sekisho/sekisho.db 2>&1 | grep -v 'No such file'
echo x > .sekisho/config.yaml; rm -rf .sekisho; mkdir .claude/x; echo y > .git/hooks/post-checkout; cat /run/sekisho/env.json; exit 0`,
      );
      expect(agent).toMatchObject({
        status: 'completed',
        result: { summary: '0\n{}', createdFiles: [], editedFiles: [] },
      });
      expect(readFileSync(join(world.project, '.sekisho/config.yaml'), 'utf8')).toContain('sandbox: auto');
      for (const made of ['.claude', '.mcp.json', 'opencode.json', '.git/hooks/post-checkout'])
        expect([made, existsSync(join(world.project, made))]).toEqual([made, false]);
    });

    test('is shut in where a sandboxed session has been, unless its role says otherwise', async ({ world }) => {
      furnish(world, 'auto');
      const look = { call: ['tools/list', {}] };
      const outside = await run(world, 'scripted', look, { write: ['../outside', ''] });
      expect(outside['status']).toBe('completed');
      writeFileSync(mark(world), '');
      const inside = await run(world, 'scripted', look, { write: ['../inside', ''] });
      expect(inside).toMatchObject({
        status: 'failed',
        result: { errorMessage: expect.stringMatching(/^In the sandbox \(bwrap\): .*(EROFS|read-only)/s) },
      });
      expect(answer(inside)).toContain('report_result');
      expect((await run(world, 'free', { write: ['../free', ''] }))['status']).toBe('completed');
    });

    test('is not started where it must be in one and there is none, and says why', async ({ world }) => {
      furnish(world, 'off');
      // The project holds the home: all of it would be writable.
      const home = join(world.project, 'home');
      mkdirSync(home);
      const client = await world.client({ env: { HOME: home } });
      const groupId = await group(world);
      const agents = [{ role: 'kept', prompt: steps({ write: ['started', ''] }) }];
      const { value } = await world.call('run_agents', { groupId, agents }, client);
      const [agent = {}] = await ended(world, [value['agents'][0].agentId]);
      expect(agent).toMatchObject({
        status: 'failed',
        result: { errorMessage: expect.stringContaining('it must run in a sandbox, but none is available: ') },
      });
      expect(existsSync(join(world.project, 'started'))).toBe(false);
    });

    test('works in a worktree of its own, with the main checkout read-only', async ({ world }) => {
      furnish(world, 'auto');
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: world.project });
      world.write('.gitignore', '.sekisho\n');
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'start');
      const agent = await run(
        world,
        'apart',
        { write: ['mine.txt', ''] },
        { call: ['tools/list', {}] },
        { write: [join(world.project, 'theirs.txt'), ''] },
      );
      expect(agent['result'].errorMessage).toMatch(/EROFS|read-only/);
      expect(agent['result'].createdFiles).toEqual(['mine.txt']);
      expect(answer(agent)).toContain('report_result');
      expect(existsSync(join(world.project, 'theirs.txt'))).toBe(false);
    });

    test(`${row('sandbox.nested')} leaves no repository that starts programs; its result and the journal name it`, async ({
      world,
    }) => {
      furnish(world, 'required');
      const agent = await shell(
        world,
        'git init -q n && git -C n config core.fsmonitor "touch $PWD/ran #" && echo made',
      );
      expect(agent).toMatchObject({
        status: 'completed',
        result: { summary: 'made', errorMessage: expect.stringContaining('n (disabled: core.fsmonitor)') },
      });
      execFileSync('git', ['status'], { cwd: join(world.project, 'n') });
      expect(existsSync(join(world.project, 'ran'))).toBe(false);
      const { json } = await world.cli(['journal', 'list', '--subject', agent['agentId'] as string, '--json']);
      expect(json['entries']).toContainEqual(
        expect.objectContaining({
          kind: 'sandbox.repositories',
          data: { found: [{ path: 'n', disabled: ['core.fsmonitor'], failed: [] }] },
        }),
      );
    });

    test(`${row('sandbox.nested')} leaves none either where its host is killed`, async ({ world }) => {
      furnish(world, 'required');
      const script = 'git init -q n && git -C n config core.fsmonitor "touch $PWD/ran #" && touch made; sleep 60';
      const [id = ''] = await start(world, 'shell', script);
      await expect.poll(() => existsSync(join(world.project, 'made')), { timeout: 20_000 }).toBe(true);
      for (const { pid } of hostsOf(id)) process.kill(pid, 'SIGKILL');
      expect(await ended(world, [id])).toMatchObject([{ status: 'failed' }]);
      const kinds = async () => {
        const { json } = await world.cli(['journal', 'list', '--subject', id, '--json']);
        return (json['entries'] as { kind: string }[]).map(({ kind }) => kind);
      };
      await expect.poll(kinds, { timeout: 20_000 }).toContain('sandbox.repositories');
      const cwd = join(world.project, 'n');
      expect(execFileSync('git', ['config', 'sekisho-removed.core.fsmonitor'], { cwd, encoding: 'utf8' })).toContain(
        'ran',
      );
    });

    test(`${row('sandbox.fleet')} starts no program that it put into a repository’s configuration, when its host asks git`, async ({
      world,
    }) => {
      furnish(world, 'off');
      const evil = join(world.project, 'evil.sh');
      const ran = join(world.project, '../ran');
      writeFileSync(evil, `#!/bin/sh\ntouch ${ran}\ncat\n`, { mode: 0o755 });
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: world.project });
      git('init', '-q');
      world.write('a.txt', 'a\n');
      git('add', 'a.txt');
      git('commit', '-qm', 'start');
      for (const key of ['core.fsmonitor', 'filter.x.clean', 'filter.x.smudge', 'filter.a=b.clean', 'diff.external'])
        git('config', key, evil);
      for (const hook of ['post-checkout', 'post-commit', 'post-index-change', 'reference-transaction'])
        writeFileSync(join(world.project, '.git/hooks', hook), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
      world.write('.gitattributes', 'a.txt filter=x\nb.txt filter=a=b\n');
      const nested = join(world.project, 'nested');
      mkdirSync(nested);
      execFileSync('git', ['init', '-q'], { cwd: nested });
      execFileSync('git', ['config', 'core.fsmonitor', evil], { cwd: nested });
      const agent = await run(world, 'free', { write: ['a.txt', 'b\n'] }, { write: ['b.txt', 'b\n'] });
      expect(agent).toMatchObject({ status: 'completed', result: { editedFiles: ['a.txt'], createdFiles: ['b.txt'] } });
      world.write(
        '.sekisho/config.yaml',
        `roles: [{ id: apart, cli: command, command: ["${node}", "${join(fixtures, 'scripted.mjs')}"], isolation: worktree }]\n`,
      );
      const client = await world.client();
      const groupId = await group(world);
      const agents = [{ role: 'apart', prompt: steps({ write: ['a.txt', 'c\n'] }) }];
      const { value } = await world.call('run_agents', { groupId, agents }, client);
      const [apart = {}] = await ended(world, [value['agents'][0].agentId]);
      expect(apart).toMatchObject({ status: 'completed', result: { editedFiles: ['a.txt'] } });
      expect(existsSync(ran)).toBe(false);
      // The same repository is dangerous to whoever asks it plainly.
      execFileSync('git', ['status'], { cwd: world.project });
      expect(existsSync(ran)).toBe(true);
    });
  });
});
