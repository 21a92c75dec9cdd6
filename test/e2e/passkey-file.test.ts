import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { until } from '../setup/until.ts';
import { type World, inOneWorld, node } from './world.ts';

const agent = join(import.meta.dirname, '../fixtures/agents/work.mjs');
const commands = { scripted: [node, agent] };
const git = (world: World, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: world.project,
    encoding: 'utf8',
    env: world.env,
  });
const safeFile = (world: World) => join(world.place.state, 'passkeys.yaml');

inOneWorld('stdio', 'sqlite', (test) => {
  test('a kept passkey is neither shown nor in the project; a Runner finds it, also after a rotation', async ({
    world,
  }) => {
    git(world, 'init', '-q');
    world.write('.sekisho/config.yaml', JSON.stringify({ runner: { commands } }));
    const ask = async (...args: readonly string[]) => (await world.person([...args, '--json'])).json;
    const made = await ask('admin', 'create-agent', '--name', 'a', '--ai-type', 'scripted', '--id', 'agt_a', '--keep');
    expect(made).toMatchObject({ success: true, agent_id: 'agt_a', passkey_file: safeFile(world) });
    expect(made['passkey']).toBeUndefined();
    expect(made['instruction']).toContain(safeFile(world));
    expect(statSync(safeFile(world)).mode & 0o777).toBe(0o600);
    const rotated = await ask('admin', 'rotate-passkey', '--agent-id', 'agt_a', '--keep');
    expect(rotated['passkey_file']).toBe(safeFile(world));
    const secrets = readFileSync(safeFile(world), 'utf8').match(/pk_[\w-]+/g) ?? [];
    expect(new Set(secrets).size).toBe(2);

    const folder = world.project;
    const project = String(
      (await ask('admin', 'create-project', '--name', 'p', '--working-directory', folder))['project_id'],
    );
    await ask('admin', 'assign-agent', '--project-id', project, '--agent-id', 'agt_a');
    const task = String(
      (await ask('admin', 'create-task', '--project-id', project, '--title', 't', '--assignee-id', 'agt_a'))['task_id'],
    );
    for (const status of ['todo', 'in_progress'])
      await ask('work', 'update-task-status', '--task-id', task, '--status', status);
    const { json, stderr } = await world.cli(['runner', '--once', '--json']);
    expect(json['started'], stderr).toMatchObject([{ agentId: 'agt_a' }]);
    await until(
      'the task is done',
      async () => (await world.call('get_task', { task_id: task })).value['task'].status === 'done',
    );

    git(world, 'add', '-A');
    git(world, 'commit', '-q', '-m', 'all');
    for (const secret of secrets) expect(git(world, 'show', '--format=', 'HEAD')).not.toContain(secret);
  });

  test('a new passkey that is shown says how to keep one for a Runner', async ({ world }) => {
    const made = await world.person([
      'admin',
      'create-agent',
      '--name',
      'a',
      '--ai-type',
      'x',
      '--id',
      'agt_a',
      '--json',
    ]);
    expect(made.json['passkey']).toMatch(/^pk_/);
    expect(made.json['instruction']).toContain('sekisho admin rotate-passkey --agent-id agt_a --keep');
    expect(existsSync(safeFile(world))).toBe(false);
  });

  test('several passkeys that are kept at the same moment are all there, beside what a person wrote', async ({
    world,
  }) => {
    const file = join(world.project, world.write('../passkeys.json', '{"agt_x": "pk_x"}'));
    chmodSync(file, 0o600);
    const env = { SEKISHO_RUNNER_PASSKEY_FILE: file };
    const names = ['agt_1', 'agt_2', 'agt_3'];
    await Promise.all(
      names.map((id) =>
        world.person(['admin', 'create-agent', '--name', id, '--ai-type', 'x', '--id', id, '--keep', '--json'], {
          env,
        }),
      ),
    );
    const text = readFileSync(file, 'utf8');
    for (const id of ['agt_x', ...names]) expect(text).toContain(`"${id}": "pk_`);
    expect((await world.cli(['runner', '--once', '--json'], { env })).code).toBe(0);
  });

  test('a passkey file inside the project is refused until git ignores it', async ({ world }) => {
    const file = join(world.project, world.write('.sekisho/passkeys.yaml', 'agt_a: pk_hush\n'));
    chmodSync(file, 0o600);
    const env = { SEKISHO_RUNNER_PASSKEY_FILE: file };
    const run = (lang = 'en') => world.cli(['runner', '--once', '--json', '--lang', lang], { env });
    const refused = async () => {
      const { code, stdout, stderr, json } = await run();
      expect(code, stderr).toBe(2);
      for (const part of [file, safeFile(world), '.gitignore']) expect(json['message']).toContain(part);
      expect(stdout + stderr).not.toContain('hush');
    };
    await refused(); // There is no git repository.
    expect((await run('ja')).json['message']).toContain('パスキーが公開されます');
    git(world, 'init', '-q');
    await refused();
    const kept = await world.person(['admin', 'create-agent', '--name', 'a', '--ai-type', 'x', '--keep', '--json'], {
      env,
    });
    expect(kept.json['code']).toBe('BAD_CONFIGURATION');
    world.write('.gitignore', '.sekisho/passkeys.yaml\n');
    expect((await run()).code).toBe(0);
    // What git has already goes into every commit, whatever it ignores.
    git(world, 'add', '-f', file);
    await refused();
  });

  test('a file that only the repository around the project has is refused too', async ({ world }) => {
    const file = join(world.project, world.write('../passkeys.yaml', 'agt_a: pk_hush\n'));
    chmodSync(file, 0o600);
    const env = { SEKISHO_RUNNER_PASSKEY_FILE: file };
    expect((await world.cli(['runner', '--once', '--json'], { env })).code).toBe(0);
    git(world, 'init', '-q', '..');
    expect((await world.cli(['runner', '--once', '--json'], { env })).code).toBe(2);
  });
});
