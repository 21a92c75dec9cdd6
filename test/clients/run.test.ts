import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { locate } from '../../src/config/locate.ts';
import { type Home, sekisho } from './cli.ts';
import { type Driver, drivers } from './driver.ts';
import type { Turn } from './model/model.ts';
import { type Scene, addWorktree, makeScene, worktreeOf } from './scene.ts';

const missing = getBubblewrap();
if (missing !== undefined) process.stderr.write(`\n*** clients in the sandbox ARE NOT TESTED: ${missing} ***\n\n`);

/** Think first (a plan as evidence), then act until the project's own test passes, then a person says yes. */
const definition = `id: strict
version: "1"
initial_state: think
states:
  - { name: think, tool_permissions: { denied: [Write, Edit] } }
  - { name: act }
  - { name: wait }
  - { name: done, is_final: true }
events: [{ name: submit_plan }, { name: finish }, { name: sign_off, allowed_roles: [reviewer] }]
transitions:
  - { from: think, event: submit_plan, to: act, guard: has_plan }
  - { from: act, event: finish, to: wait, guard: tested }
  - { from: wait, event: sign_off, to: done, guard: signed }
guards:
  has_plan: { type: artifact, artifact_type: plan, condition: exists }
  tested: { type: command, command: [npm, test, --silent] }
  signed: { type: approval, role: reviewer, event: sign_off }
artifacts: [{ type: plan, description: What will be done }]
roles:
  - { name: agent, allowed_events: [submit_plan, finish] }
  - { name: reviewer, allowed_events: [sign_off], can_approve: true }
`;

/** The state folder, where everything is that an agent must not have. */
const stateOf = ({ project, env }: Home) => locate({ cwd: project, env: { ...env, ...surroundings(env) } }).data.state;
const surroundings = ({ HOME = '' }: Home['env']) => ({ XDG_DATA_HOME: join(HOME, 'data'), SEKISHO_HTTP_PORT: '0' });

let scene: Scene | undefined;

afterEach(async () => {
  if (scene === undefined) return;
  if (existsSync(join(stateOf(scene.home), 'daemon.json'))) process.kill(daemonOf(scene), 'SIGTERM');
  await scene.close();
  scene = undefined;
});

function daemonOf({ home }: Scene): number {
  return (JSON.parse(readFileSync(join(stateOf(home), 'daemon.json'), 'utf8')) as { pid: number }).pid;
}

async function prepare(
  driver: Driver,
  script: (home: Home) => readonly Turn[],
  rules = definition,
  init?: readonly string[],
): Promise<Scene> {
  const made = (scene = await makeScene(driver, script, ({ env }) => surroundings(env), init));
  made.home.write('.sekisho/processes/strict.yaml', rules);
  made.home.write('package.json', '{ "scripts": { "test": "true" } }\n');
  made.home.write('plan.md', 'First this, then that.\n');
  expect(await made.cli('trust', '.sekisho/processes/strict.yaml')).not.toHaveProperty('error');
  expect(await made.cli('gate', 'create-run', '--process-id', 'strict')).not.toHaveProperty('error');
  return made;
}

const event = (name: string, revision: number, more: object = {}) => ({
  event_name: name,
  expected_revision: revision,
  idempotency_key: `${name}-${revision}`,
  ...more,
});

test.skipIf(missing !== undefined).each([drivers.claude, drivers.newestClaude, drivers.copilot])(
  '$id $version asks under sekisho run in a worktree in which nothing was prepared',
  async (driver) => {
    const at = await prepare(driver, (home) => [
      (seen) => ({ calls: [driver.write(join(worktreeOf(home), 'hello.txt'), 'hello', seen)] }),
      (seen) => ({ calls: [driver.mcp('state_gate_get_state', {}, seen)] }),
      { text: 'Refused.' },
    ]);
    const tree = addWorktree(at.home);
    // Claude Code takes what it is started with before what the project says.
    if (driver.id === 'claude') {
      mkdirSync(join(tree, '.claude'));
      writeFileSync(join(tree, '.claude/settings.json'), '{ "disableAllHooks": true }');
    }
    const { stdout, stderr } = await at.driveInside('Write hello.txt', tree);
    const [refused, state] = at.results();
    expect(refused, stdout + stderr).toContain('in the state "think"');
    expect(existsSync(join(tree, 'hello.txt'))).toBe(false);
    expect(state, stdout + stderr).toContain('strict');
  },
);

/** Every file of a folder but git's own. */
function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((one) => !one.startsWith('.git/') && statSync(join(folder, one)).isFile())
    .toSorted();
}

describe
  .skipIf(missing !== undefined)
  .each([drivers.claude, drivers.codex, drivers.gemini, drivers.qwen, drivers.copilot, drivers.opencode])(
  '$id $version under sekisho run',
  (driver) => {
    const script = (home: Home): readonly Turn[] => [
      (seen) => ({ calls: [driver.write(join(home.project, 'hello.txt'), 'hello', seen)] }),
      (seen) => ({ calls: [driver.mcp('state_gate_get_state', {}, seen)] }),
      { text: 'Refused.' },
    ];
    // Codex edits through its shell.
    const rules = definition.replace('[Write, Edit]', '[Write, Edit, Bash]');
    const other = ['--client', driver.id === 'codex' ? 'gemini' : 'codex'];

    test.each([
      ['in a project that was prepared for another client', other],
      ['in a project that was prepared for it', ['--client', driver.id]],
    ])('asks once and has our server %s', async (_, init) => {
      const at = await prepare(driver, script, rules, init);
      const before = listFiles(at.home.project);
      const { stdout, stderr } = await at.driveInside('Write hello.txt');
      const [refused, state] = at.results();
      expect(refused, stdout + stderr).toContain('in the state "think"');
      expect(state, stdout + stderr).toContain('strict');
      expect(stderr).toContain('関所 ring 3: sandbox (bwrap)');
      expect(listFiles(at.home.project)).toEqual(before);
      const denied = (await at.journal('hook.receipt')).filter((one) => one['decision'] === 'deny');
      expect(denied).toMatchObject([{ client: driver.id, event: 'pre-tool-use', state: 'think' }]);
    });
  },
);

describe.skipIf(missing !== undefined).each([drivers.claude, drivers.codex, drivers.gemini])(
  '$id $version under sekisho run',
  (driver) => {
    // Nothing that a look at the command line could find: the walls have to hold.
    const step =
      (command: string): Turn =>
      (seen) => ({
        calls: [driver.shell(`echo ${Buffer.from(command).toString('base64')} | base64 -d | bash 2>&1`, seen)],
      });
    const emit =
      (name: string, revision: number, more?: object): Turn =>
      (seen) => ({ calls: [driver.mcp('state_gate_emit_event', event(name, revision, more), seen)] });

    test('gets nowhere with tokens, the store, the gate’s files, the daemon, or an approval of its own', async () => {
      const at = await prepare(driver, (home) => {
        const secret = stateOf(home);
        return [
          step(`cat ${secret}/*.token ${secret}/user.db ${secret}/stores/*/* | wc -c`),
          step(
            'rm -rf .sekisho; mv .sekisho x; echo "id: strict" > .sekisho/processes/strict.yaml; ls .sekisho/processes',
          ),
          step(
            `for f in .claude .codex .gemini .mcp.json; do rm -rf $f; echo '{}' > $f/settings.json; done; for f in ~/.claude/settings.json ~/.claude.json ~/.codex/hooks.json ~/.codex/config.toml ~/.gemini/settings.json; do echo '{}' > $f; rm -f $f; done; rm -rf ${secret} ~/.local/share; echo tried`,
          ),
          step('pkill -9 -f "sekisho up"; ps ax | grep -c "[s]ekisho up"'),
          step(
            `${process.execPath} ${sekisho} admin approve --run-id x --role human; ${process.execPath} ${sekisho} approve; env -u SEKISHO_SANDBOX ${process.execPath} ${sekisho} gate list-runs; true`,
          ),
          emit('submit_plan', 0, { artifact_paths: ['plan.md'] }),
          step(
            `echo '{ "scripts": { "test": "cat ${secret}/*.token > stolen; cp ${secret}/user.db db; echo x > ${home.folder}/.bashrc; false" } }' > package.json`,
          ),
          emit('finish', 1),
          step(`echo '{ "scripts": { "test": "true" } }' > package.json`),
          emit('finish', 1, { idempotency_key: 'again' }),
          emit('sign_off', 2),
          { text: 'Gave up.' },
        ];
      });
      const before = at.setup();
      const outcome = await at.driveInside('Work.');
      const results = at.results();
      const told = JSON.stringify({ results, stderr: outcome.stderr.slice(-2000) }, null, 1);
      expect(outcome.stderr, told).toContain('関所 ring 3: sandbox (bwrap)');
      expect(process.kill(daemonOf(at), 0)).toBe(true);
      expect(results[0], told).toMatch(/(^|\s)0(\s|$)/);
      expect(results[1], told).toContain('strict.yaml');
      expect(readFileSync(join(at.home.project, '.sekisho/processes/strict.yaml'), 'utf8')).toBe(definition);
      expect(at.setup()).toEqual(before);
      expect(results[4], told).toContain('only "sekisho mcp" and "sekisho hook" work here');
      expect(results[5], told).toContain('act');
      expect(results[7], told).not.toContain('"to_state":"wait"');
      expect(readFileSync(join(at.home.project, 'stolen'), 'utf8')).toBe('');
      expect(existsSync(join(at.home.project, 'db'))).toBe(false);
      expect(existsSync(join(at.home.folder, '.bashrc'))).toBe(false);
      expect(results[9], told).toContain('"to_state":"wait"');
      const { runs } = await at.cli('gate', 'list-runs');
      expect(runs).toMatchObject([{ current_state: 'wait' }]);
      expect(await at.journal('client.started')).toMatchObject([{ client: driver.id, ring: 3, sandbox: 'bwrap' }]);
    });

    test('passes the honest way', async () => {
      const script = (home: Home): readonly Turn[] => [
        (seen) => ({ calls: [driver.write(join(home.project, 'early.txt'), 'early', seen)] }),
        emit('submit_plan', 0, { artifact_paths: ['plan.md'] }),
        (seen) => ({ calls: [driver.write(join(home.project, 'work.txt'), 'done', seen)] }),
        emit('finish', 1),
        { text: 'Finished.' },
      ];
      // Codex edits through its shell.
      const at = await prepare(driver, script, definition.replace('[Write, Edit]', '[Write, Edit, Bash]'));
      const { stdout, stderr } = await at.driveInside('Work.');
      const results = at.results();
      const told = JSON.stringify(results, null, 1) + stdout + stderr;
      expect(results[0], told).toContain('in the state "think"');
      expect(existsSync(join(at.home.project, 'early.txt'))).toBe(false);
      expect(readFileSync(join(at.home.project, 'work.txt'), 'utf8').trim()).toBe('done');
      expect(results[3], told).toContain('wait');
    });
  },
);
