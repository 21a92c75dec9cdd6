import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { trustConfiguration } from '../setup/trust.ts';
import { processes } from '../setup/processes.ts';
import { until } from '../setup/until.ts';
import { type AgentState, ended, fixtures, furnish, group, running, start, steps } from './fleet-world.ts';
import { callApi, signIn } from './dashboard-world.ts';
import { requires } from './requirements.ts';
import { type World, bin, inOneWorld, inTwoWorlds, node } from './world.ts';

/** An agent CLI under any name, first in the path. */
function withProgram(world: World, name: string): { PATH: string } {
  const folder = join(world.project, 'programs');
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(fixtures, 'pretend-cli.mjs'), join(folder, name));
  return { PATH: `${folder}:${join(node, '..')}:/usr/bin:/bin` };
}

const rolesOf = async (world: World) => (await world.call('list_roles')).value['roles'] as AgentState[];

inTwoWorlds('roles', (test) => {
  test(requires('fleet.roles.anew'), async ({ world }) => {
    furnish(world);
    const ids = async () => (await rolesOf(world)).map((one) => one['id'] as string);
    expect(await ids()).not.toContain('late');
    const file = join(world.project, '.sekisho/config.yaml');
    appendFileSync(file, '  - { id: late, cli: command, command: ["true"] }\n');
    // Nobody has looked at it yet.
    expect(await ids()).not.toContain('late');
    await trustConfiguration(world.project, world.env);
    expect(await ids()).toContain('late');
    const [agent] = await ended(world, await start(world, 'late', ''));
    expect(agent).toMatchObject({ role: 'late', status: 'completed' });
  });
});

inOneWorld('http', 'postgres', (test) => {
  test(requires('fleet.roles.delete'), async ({ world }) => {
    const own = '  - { id: code-review, cli: command, command: ["true"], kind: agent }\n';
    furnish(world, `${own}  # the last one\n  - { id: spare, cli: command, command: ["true"] }\n`);
    const person = await signIn(world);
    const api = (address: string, input: object) =>
      callApi(person, `${address}${address.includes('?') ? '&' : '?'}project=${world.project}`, input);
    const names = async () =>
      Object.fromEntries((await rolesOf(world)).map((one) => [one['id'] as string, one['name'] as string]));
    const file = join(world.project, '.sekisho/config.yaml');

    // One agent of it runs, one waits for its stage.
    const go = join(world.project, 'go');
    const stages = [steps({ until: go }), steps({ print: 'after' })].map((prompt) => ({
      tasks: [{ role: 'scripted', prompt }],
    }));
    const { value } = await world.call('run_sequential', { groupId: await group(world, 'sequential'), stages });
    const ids = (value['agents'] as AgentState[]).map((one) => one['agentId'] as string);
    await running(world, ids[0] ?? '');
    const { text, input } = (await api('delete_role?ask', { role_id: 'scripted' })).body;
    expect(text).toContain(
      '2 agent(s) with this role, in 1 group(s), are queued or running. They continue as they were started.',
    );

    // Somebody else wrote the file while the question stood.
    appendFileSync(file, '# mine\n');
    expect(await api('delete_role', input as object)).toMatchObject({ body: { code: 'ROLE_FILE_CHANGED' } });
    const asked = (await api('delete_role?ask', { role_id: 'scripted' })).body;
    expect(await api('delete_role', asked['input'] as object)).toMatchObject({ status: 200 });
    expect(await names()).toHaveProperty('scripted');
    await trustConfiguration(world.project, world.env);
    expect(await names()).not.toHaveProperty('scripted');
    const agents = [{ role: 'scripted', prompt: '' }];
    const refused = await world.call('run_agents', { groupId: await group(world), agents });
    expect(refused.value['code']).toBe('ROLE_NOT_FOUND');
    world.write('go', '');
    expect((await ended(world, ids)).map((one) => one['status'])).toEqual(['completed', 'completed']);

    // Below one that replaced it the default comes to light.
    const uncovers = (await api('delete_role?ask', { role_id: 'code-review' })).body;
    expect(uncovers['text']).toMatch(/comes with Sekisho.*\n.*role for people/);
    const deleted = await world.person(['admin', 'delete-role', '--role-id', 'code-review', '--json']);
    expect(deleted.json).toEqual({ role_id: 'code-review', file: '.sekisho/config.yaml' });
    await trustConfiguration(world.project, world.env);
    expect(await names()).toMatchObject({ 'code-review': 'Code reviewer', spare: 'spare' });
    expect(readFileSync(file, 'utf8')).toContain('# the last one');
    expect(await api('delete_role', { role_id: 'code-review' })).toMatchObject({ body: { code: 'ROLE_IS_DEFAULT' } });
    expect(await api('delete_role', { role_id: 'nobody' })).toMatchObject({ body: { code: 'ROLE_NOT_FOUND' } });
  });
});

describe('checks', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    const role = (world: World, id: string, prompt: string) =>
      `  - { id: ${id}, cli: claude, model: ${id}, healthCheckPrompt: "${prompt.replaceAll('@', world.project)}" }\n`;

    test(requires('fleet.roles.parallel'), async ({ world }) => {
      // Each waits for the other, and for its server.
      furnish(world, role(world, 'one', 'meets @/a @/b') + role(world, 'two', 'meets @/b @/a'));
      const { json, code } = await world.cli(['fleet', 'check-roles', 'one', 'two', '--json'], {
        env: withProgram(world, 'claude'),
      });
      expect(json['roles']).toMatchObject([
        { id: 'one', available: true },
        { id: 'two', available: true },
      ]);
      expect(code).toBe(0);
    });

    test(requires('fleet.roles.stopped'), async ({ world }) => {
      furnish(world, role(world, 'one', 'meets @/a @/a forever') + role(world, 'two', 'meets @/b @/b forever'));
      // Others check their roles too, at the same time, in the folder of the machine.
      const TMPDIR = join(world.project, '../scratch');
      mkdirSync(TMPDIR);
      await world.trusted();
      const child = spawn(node, [bin, 'fleet', 'check-roles', 'one', 'two'], {
        cwd: world.project,
        env: { ...world.env, ...withProgram(world, 'claude'), TMPDIR },
        stdio: 'ignore',
      });
      const exited = new Promise((resolve) => child.once('exit', resolve));
      const pids = await until(
        'both are asked',
        () =>
          ['a', 'b'].flatMap((name) => {
            const file = join(world.project, name);
            const pid = existsSync(file) ? readFileSync(file, 'utf8') : '';
            return pid === '' ? [] : [Number(pid)];
          }),
        (found) => found.length === 2,
      );
      const started = () =>
        processes(({ pid, environment }) => pids.includes(pid) || environment.includes(`TMPDIR=${TMPDIR}`));
      expect(started().length).toBeGreaterThanOrEqual(2);
      expect(readdirSync(TMPDIR).filter((name) => name.startsWith('sekisho-check-'))).toHaveLength(2);
      child.kill('SIGTERM');
      expect(await exited).toBe(1);
      expect(started()).toEqual([]);
      expect(readdirSync(TMPDIR)).toEqual([]);
      expect((await rolesOf(world)).find((one) => one['id'] === 'one')).toMatchObject({ modelValidation: null });
    });

    test(`${requires('fleet.roles.names')} ${requires('fleet.permissions')}`, async ({ world }) => {
      furnish(
        world,
        `  - { id: writer, cli: cursor, permissions: full }
  - { id: code-review, cli: cursor }
  - { id: told, cli: command, command: ["printenv", "SEKISHO_PERMISSIONS"], permissions: read }
`,
      );
      const client = await world.client({ env: withProgram(world, 'agent') });
      const { roles } = (await world.call('list_roles', {}, client)).value as { roles: AgentState[] };
      const permissions = Object.fromEntries(roles.map((one) => [one['id'], one['permissions']]));
      expect(permissions).toMatchObject({
        writer: 'full',
        'code-review': 'read',
        'text-review': 'read',
        research: 'read',
        'impl-code': 'full',
      });
      const groupId = await group(world);
      const agents = ['writer', 'code-review', 'told'].map((id) => ({ role: id, prompt: 'x' }));
      const { value } = await world.call('run_agents', { groupId, agents }, client);
      const ids = (value['agents'] as AgentState[]).map((one) => one['agentId'] as string);
      const done = await ended(world, ids, client);
      expect(done.map((one) => one['status'])).toEqual(['completed', 'completed', 'completed']);
      const args = done.slice(0, 2).map((one) => JSON.parse(one['result'].summary).args as string[]);
      expect(args[0]).toContain('--force');
      expect(args[1]).not.toContain('--force');
      expect(args[1]?.join(' ')).toContain('--mode ask');
      expect(done[2]?.['result'].summary).toBe('read');
    });

    test(requires('fleet.asks'), async ({ world }) => {
      const careful = 'states: [{ name: think }, { name: done, is_final: true }]\nevents: [{ name: go }]\n';
      const moves = 'transitions: [{ from: think, event: go, to: done }]\n';
      world.write(
        '.sekisho/processes/careful.yaml',
        `id: careful\nversion: "1"\ninitial_state: think\n${careful}${moves}`,
      );
      furnish(
        world,
        '  - { id: claude, cli: claude }\n  - { id: cursor, cli: cursor }\n  - { id: gemini, cli: gemini }\n',
      );
      withProgram(world, 'cursor-agent');
      withProgram(world, 'claude');
      const env = withProgram(world, 'gemini');
      const home = join(world.project, 'home');
      const own = { hooks: { BeforeTool: [{ matcher: '.*', hooks: [{ type: 'command', command: 'theirs' }] }] } };
      world.write('.gemini/settings.json', '{ "ui": { "hideTips": true } }\n');
      world.write('home/.gemini/settings.json', JSON.stringify(own));
      world.write('home/.gemini/oauth_creds.json', 'credentials');
      world.write('.cursor/hooks.json', '{ "version": 1, "hooks": {} }\n');
      const client = await world.client({ env: { ...env, HOME: home } });
      const one = async (role: string) => {
        const agents = [{ role, prompt: 'x' }];
        const { value } = await world.call('run_agents', { groupId: await group(world), agents }, client);
        return (await ended(world, [value['agents'][0].agentId as string], client))[0] ?? {};
      };
      // Nothing binds them yet.
      expect(await one('cursor')).toMatchObject({ status: 'completed' });
      await world.call('state_gate.create_run', { process_id: 'careful' });
      // Gemini's are in a home of its own, beside what the person has there; the project's file is nobody's to touch.
      const gemini = JSON.parse((await one('gemini'))['result'].summary);
      expect(gemini.credentials).toBe('credentials');
      expect(JSON.stringify(gemini.config.hooks.BeforeTool)).toMatch(/theirs.*sekisho'? hook pre-tool-use/);
      expect(readFileSync(join(world.project, '.gemini/settings.json'), 'utf8')).toBe(
        '{ "ui": { "hideTips": true } }\n',
      );
      expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).not.toContain('sekisho');
      expect(readFileSync(join(home, '.gemini/oauth_creds.json'), 'utf8')).toBe('credentials');
      world.write('.gemini/settings.json', '{ "hooksConfig": { "enabled": false } }\n');
      expect(await one('gemini')).toMatchObject({
        status: 'failed',
        result: { errorMessage: expect.stringContaining(join('.gemini', 'settings.json')) },
      });
      // Claude Code is handed its hooks, and such a line switches those off as well.
      world.write('.claude/settings.json', '{ "disableAllHooks": true }\n');
      expect(await one('claude')).toMatchObject({
        status: 'failed',
        result: { errorMessage: expect.stringContaining(join('.claude', 'settings.json')) },
      });
      // Cursor takes hooks from the project and from the person's own file only.
      expect(await one('cursor')).toMatchObject({
        status: 'failed',
        result: { errorMessage: expect.stringContaining('sekisho init --client cursor') },
      });
      world.write('home/.cursor/hooks.json', '{ "x": "/data/app/sekisho hook pre-tool-use --client cursor" }\n');
      expect(await one('cursor')).toMatchObject({ status: 'completed' });
    });

    test(requires('fleet.lists'), async ({ world }) => {
      furnish(world);
      const ids = [...(await start(world, 'forever', '')), ...(await start(world, 'forever', ''))];
      const { json } = await world.cli(['fleet', 'cancel-agents', '--agent-ids', ids.join(','), '--json']);
      expect(json).toEqual({ cancelled: ids, ended: [] });
      const again = ['fleet', 'cancel-agents', '--agent-ids', ids[0] ?? '', '--agent-ids', ids[1] ?? '', '--json'];
      await ended(world, ids);
      expect((await world.cli(again)).json).toEqual({ cancelled: [], ended: ids });
      // What has a comma of its own is written as JSON, and a sentence is one.
      const report = ['fleet', 'report-result', '--agent-id', ids[0] ?? '', '--status', 'success', '--summary', 's'];
      await world.cli([...report, '--edited-files', '["a,b.txt"]', '--created-files', 'c.txt,d.txt', '--json']);
      await world.cli([...report, '--edited-files', 'one, two', '--json']);
      const { result } = (await world.call('get_agent_status', { agentId: ids[0] })).value;
      expect(result).toMatchObject({ editedFiles: ['a,b.txt', 'one, two'], createdFiles: ['c.txt', 'd.txt'] });
    });

    test(requires('fleet.roles.import'), async ({ world }) => {
      const config = join(world.project, '.sekisho/config.yaml');
      world.write(
        '.sekisho/config.yaml',
        '# ours\nfleet: { maxConcurrent: 7 }\nroles:\n  - { id: own, cli: claude }\n',
      );
      const source = join(fixtures, 'kuromajutsu.config.yaml');
      const run = (...args: string[]) => world.cli(['fleet', 'import-roles', source, ...args, '--json']);
      const { json, code } = await run();
      expect(code).toBe(0);
      expect(json).toMatchObject({
        file: config,
        imported: ['impl-code', 'text-review'],
        kept: [],
        next: 'sekisho trust',
      });
      expect(json['left_out']).toEqual([
        expect.stringContaining('LOG_LEVEL'),
        expect.stringContaining('textlint'),
        expect.stringContaining('not an id'),
      ]);
      const written = readFileSync(config, 'utf8');
      expect(written).toContain('# ours');
      expect(written).toContain('maxConcurrent: 7');
      expect(written).toContain('defaultTimeoutMs: 600000');
      expect(written).toContain('port: 9797');
      expect(written).toContain('sekisho MCP');
      expect(written).not.toContain('kuromajutsu');
      // Nothing of it holds before a person has looked at it.
      expect((await rolesOf(world)).find((one) => one['id'] === 'impl-code')).toMatchObject({ cli: 'claude' });
      await trustConfiguration(world.project, world.env);
      const roles = await rolesOf(world);
      expect(roles.map((one) => one['id'])).toEqual(expect.arrayContaining(['own', 'impl-code', 'text-review']));
      expect(roles.find((one) => one['id'] === 'text-review')).toMatchObject({
        name: '文章レビュワー',
        description: '文章の品質をレビューする。ファイルの編集は行わない',
        cli: 'cursor',
        model: 'composer-1.5',
        permissions: 'read',
      });
      expect((await run()).json).toMatchObject({ imported: [], kept: ['impl-code', 'text-review'] });
      const other = await run('--cli', 'claude', '--replace');
      expect(other.json).toMatchObject({ imported: ['impl-code', 'text-review'], kept: [] });
      expect(other.json['left_out']).toContainEqual(expect.stringContaining('composer-1.5'));
      expect(readFileSync(config, 'utf8')).toContain('maxConcurrent: 4');
      const nothing = await world.cli(['fleet', 'import-roles', 'nowhere.yaml', '--json']);
      expect(nothing.code).toBe(2);
      expect(nothing.stdout + nothing.stderr).toContain('nowhere.yaml');
    });
  });
});
