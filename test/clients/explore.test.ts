import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { type Home, configure } from './cli.ts';
import { type Driver, drivers } from './driver.ts';
import type { Seen, Turn } from './model/model.ts';
import { type Scene, commitAll, makeScene } from './scene.ts';

const missing = getBubblewrap();
if (missing !== undefined) process.stderr.write(`\n*** agents in the sandbox ARE NOT TESTED: ${missing} ***\n\n`);

const program = 'console.log("hello");\n';
const notes = 'The program greets; a change would touch app.js and nothing else.';

let scene: Scene | undefined;
/** What the client, or the fleet, said of the agent, for a test that fails. */
let outcome = '';

afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

async function prepare(
  driver: Driver,
  configuration = '',
  also: readonly (readonly string[])[] = [],
  then: (home: Home) => void = () => undefined,
): Promise<Scene> {
  const made = (scene = await makeScene(driver, misbehaving(driver)));
  for (const words of also) await made.cli('init', ...words);
  made.home.write('app.js', program);
  then(made.home);
  if (configuration !== '') await configure(made.home, configuration);
  commitAll(made.home);
  const created = await made.cli('gate', 'create-run', '--process-id', 'explore-plan-implement-verify');
  expect(created).not.toHaveProperty('error');
  return made;
}

/** Tries to edit in `explore`, with its own tool and through a shell, then puts it right and goes on. */
function misbehaving(driver: Driver): (at: Home) => readonly Turn[] {
  return ({ project }) => {
    const write = (file: string, text: string) => (seen: Seen) => ({
      calls: [driver.write(join(project, file), text, seen)],
    });
    const shell = (command: string) => (seen: Seen) => ({ calls: [driver.shell(command, seen)] });
    const submit = (revision: number, key: string) => (seen: Seen) => ({
      calls: [
        driver.mcp(
          'state_gate_emit_event',
          {
            event_name: 'submit_exploration',
            expected_revision: revision,
            idempotency_key: key,
            artifact_paths: ['exploration.md'],
          },
          seen,
        ),
      ],
    });
    return [
      write('extra.js', 'made'),
      shell('echo "// by the shell" >> app.js'),
      write('exploration.md', notes),
      submit(0, 'notes'),
      submit(1, 'the same again'),
      shell('git checkout -q app.js; git status --short'),
      submit(1, 'put right'),
      { text: 'Explored.' },
    ];
  };
}

/** Nobody is shut in here, unless a test says so: hooks refuse what they see, and the transition whatever has happened all the same. */
async function expectRefused({ home, cli, results, journal }: Scene, driver: Driver): Promise<void> {
  const told = `${JSON.stringify(results(), null, 1)}\n${outcome}`;
  const [edit, , written, noted, refused, , moved] = results();
  expect(edit, told).toContain('in the state "explore"');
  expect(existsSync(join(home.project, 'extra.js')), told).toBe(false);
  expect(written, told).not.toContain('in the state "explore"');
  expect(readFileSync(join(home.project, 'exploration.md'), 'utf8').trim(), told).toBe(notes);
  expect(noted, told).toContain('"to_state":"explore"');
  // An error reaches the model with its reason, whatever the client makes of it.
  expect(refused, told).toContain('GUARD_FAILED');
  expect(refused, told).toMatch(/changed since the state was entered: app\.js\b/);
  expect(moved, told).toContain('"to_state":"plan"');
  expect(readFileSync(join(home.project, 'app.js'), 'utf8')).toBe(program);
  expect((await cli('gate', 'list-runs'))['runs']).toMatchObject([{ current_state: 'plan' }]);
  const asked = (await journal('hook.receipt')).filter((one) => one['event'] === 'pre-tool-use');
  expect(asked.map((one) => [one['client'], one['decision']])).toContainEqual([driver.id, 'deny']);
}

test('Gemini as a fleet agent asks where the project has settings of its own and nobody ran init for it', async () => {
  const made = await asFleetAgent(drivers.gemini, 'off', (home) => {
    home.write('.gemini/settings.json', '{ "ui": { "hideTips": true } }\n');
    drivers.gemini.furnish(home, scene?.model.url ?? '');
  });
  expect(made.setup().join('')).not.toContain('sekisho');
  await expectRefused(made, drivers.gemini);
});

describe.each(Object.values(drivers))('$id $version while exploring', (driver) => {
  test('an edit and a shell edit are refused, and the honest way passes', async () => {
    const made = await prepare(driver);
    const { stdout, stderr } = await made.drive('Explore.');
    outcome = stdout + stderr;
    await expectRefused(made, driver);
  });

  test('as a fleet agent too', async () => {
    await expectRefused(await asFleetAgent(driver, 'off'), driver);
  });

  test.skipIf(missing !== undefined)('and as a fleet agent in the sandbox', async () => {
    const made = await asFleetAgent(driver, 'required');
    await expectRefused(made, driver);
    expect(await made.journal('agent.confined')).toHaveLength(1);
  });
});

test('Copilot, which runs the project’s hooks beside the user’s, and Claude’s too, asks once', async () => {
  const made = await prepare(drivers.copilot, '', [['--client', 'claude', '--client', 'copilot', '--shared']]);
  const { stdout, stderr } = await made.drive('Explore.');
  outcome = stdout + stderr;
  await expectRefused(made, drivers.copilot);
  const receipts = await made.journal('hook.receipt');
  const asked = receipts.filter((one) => one['event'] === 'pre-tool-use');
  expect(asked.map((one) => [one['client'], one['tool']])).toHaveLength(7);
});

async function asFleetAgent(driver: Driver, sandbox: 'off' | 'required', then?: (home: Home) => void): Promise<Scene> {
  const role = `roles: [{ id: worker, cli: ${driver.id}, model: ${driver.model}, sandbox: ${sandbox} }]\n`;
  const made = await prepare(driver, role, [], then);
  const { groupId } = await made.cli('fleet', 'create-group', '--description', 'clients');
  const agents = JSON.stringify([{ role: 'worker', prompt: 'Explore.' }]);
  const started = await made.cli('fleet', 'run-agents', '--group-id', groupId as string, '--agents', agents);
  const ids = started['agents'][0].agentId as string;
  const waited = await made.cli('fleet', 'wait-agent', '--agent-ids', ids, '--timeout-ms', '200000');
  outcome = JSON.stringify(waited);
  expect(waited['timedOut'], outcome).toBe(false);
  return made;
}
