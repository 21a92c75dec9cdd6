import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import type { Home } from './cli.ts';
import { asPerson, configure, makeHome, run, sekisho } from './cli.ts';
import type { Driver } from './driver.ts';
import { drivers } from './driver.ts';
import type { Model, Seen, Turn } from './model/model.ts';
import { startModel } from './model/model.ts';

const missing = getBubblewrap();
if (missing !== undefined) process.stderr.write(`\n*** agents in the sandbox ARE NOT TESTED: ${missing} ***\n\n`);

/** Nobody is shut in here, unless a test says so: hooks refuse what they see, and the transition whatever has happened all the same. */
const notes = 'The program greets; a change would touch app.js and nothing else.';

interface Scene {
  readonly home: Home;
  readonly env: Readonly<Record<string, string>>;
  cli(...args: string[]): Promise<Record<string, any>>;
}

let model: Model | undefined;
let home: Home | undefined;
/** What the fleet says of the agent, for a test that fails. */
let outcome = '';

afterEach(async () => {
  await model?.close();
  home?.close();
});

async function prepare(driver: Driver, script: (at: Home) => readonly Turn[], configuration = ''): Promise<Scene> {
  const made = (home = makeHome());
  model = await startModel(script(made));
  const env = {
    ...made.env,
    PATH: `${driver.folder()}:${made.env['PATH']}`,
    ...driver.furnish(made, model.url),
  };
  const start = (...args: string[]) => run(process.execPath, [sekisho, ...args], { cwd: made.project, env });
  const cli = async (...args: string[]) => {
    const { stdout, stderr } = await start(...args, '--json');
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, any>;
  };
  made.write('app.js', 'console.log("hello");\n');
  made.write('.gitignore', '');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: made.project });
  git('init', '-q');
  const person = { cwd: made.project, env: { ...env, ...asPerson } };
  expect((await run(process.execPath, [sekisho, 'init', '--client', driver.id], person)).code).toBe(0);
  if (configuration !== '') await configure(made, configuration);
  git('add', '-A');
  git('commit', '-qm', 'start');
  const created = await cli('gate', 'create-run', '--process-id', 'explore-plan-implement-verify');
  expect(created).not.toHaveProperty('error');
  return { home: made, env, cli };
}

/** Tries to edit in `explore`, with its own tool and through a shell, then puts it right and goes on. */
function misbehaving(driver: Driver): (at: Home) => readonly Turn[] {
  return ({ project }) => {
    const extra = join(project, 'extra.js');
    const shell = (command: string) => (seen: Seen) => ({ calls: [driver.shell(command, seen)] });
    const submit = (revision: number) => (seen: Seen) => ({
      calls: [
        driver.mcp(
          'state_gate_emit_event',
          {
            event_name: 'submit_exploration',
            expected_revision: revision,
            idempotency_key: `explored-${revision}`,
            artifact_paths: ['exploration.md'],
          },
          seen,
        ),
      ],
    });
    return [
      (seen) => ({ calls: [driver.write(extra, 'made', seen)] }),
      shell('echo "// by the shell" >> app.js'),
      shell(`echo '${notes}' > exploration.md`),
      submit(0),
      // Some clients rewrite their own settings when they start: that is put back too.
      shell('git checkout -q .; test ! -e extra.js || unlink extra.js; git status --short'),
      submit(1),
      { text: 'Explored.' },
    ];
  };
}

async function expectRefused({ home: at, cli }: Scene): Promise<void> {
  const results = model?.seen.at(-1)?.results ?? [];
  const told = `${JSON.stringify(results, null, 1)}\n${outcome}`;
  expect(results.length, told).toBeGreaterThanOrEqual(6);
  expect(results[3], told).not.toContain('"to_state":"plan"');
  expect(results[5], told).toContain('"to_state":"plan"');
  expect(readFileSync(join(at.project, 'app.js'), 'utf8')).toBe('console.log("hello");\n');
  const { runs } = await cli('gate', 'list-runs');
  expect(runs).toMatchObject([{ current_state: 'plan' }]);
}

describe.each(Object.values(drivers))('$id while exploring', (driver) => {
  test('an edit and a shell edit are refused, and the honest way passes', async () => {
    const scene = await prepare(driver, misbehaving(driver));
    await run(join(driver.folder(), driver.id), driver.line('Explore.', 'outside'), {
      cwd: scene.home.project,
      env: scene.env,
    });
    await expectRefused(scene);
  });

  test('as a fleet agent too', async () => {
    await expectRefused(await asFleetAgent(driver, 'off'));
  });

  test.skipIf(missing !== undefined)('and as a fleet agent in the sandbox', async () => {
    const scene = await asFleetAgent(driver, 'required');
    await expectRefused(scene);
    const { entries } = await scene.cli('journal', 'list', '--limit', '200');
    expect((entries as { kind: string }[]).map((one) => one.kind)).toContain('agent.confined');
  });
});

async function asFleetAgent(driver: Driver, sandbox: 'off' | 'required'): Promise<Scene> {
  const role = `roles: [{ id: worker, cli: ${driver.id}, model: ${driver.model}, sandbox: ${sandbox} }]\n`;
  const scene = await prepare(driver, misbehaving(driver), role);
  const { groupId } = await scene.cli('fleet', 'create-group', '--description', 'clients');
  const agents = JSON.stringify([{ role: 'worker', prompt: 'Explore.' }]);
  const started = await scene.cli('fleet', 'run-agents', '--group-id', groupId as string, '--agents', agents);
  const ids = started['agents'][0].agentId as string;
  const waited = await scene.cli('fleet', 'wait-agent', '--agent-ids', ids, '--timeout-ms', '100000');
  expect(waited['timedOut'], JSON.stringify(waited)).toBe(false);
  outcome = JSON.stringify(waited['completed']);
  return scene;
}
