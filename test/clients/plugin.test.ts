import { join, resolve } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { type Home, run } from './cli.ts';
import { type Driver, drivers } from './driver.ts';
import type { Turn } from './model/model.ts';
import { type Scene, makeScene } from './scene.ts';

const shipped = resolve(import.meta.dirname, '../..');
const missing = getBubblewrap();

const definition = `id: careful
version: "1"
initial_state: think
states:
  - { name: think, description: Nothing is written yet, tool_permissions: { denied: [Write, Edit] } }
  - { name: done, is_final: true }
events: [{ name: finish }]
transitions: [{ from: think, event: finish, to: done }]
`;

let scene: Scene | undefined;

afterEach(async () => {
  // The sandbox may have brought up the daemon.
  await scene?.cli('down');
  await scene?.close();
  scene = undefined;
});

/** Nothing but the plugin leads the client to us; `init` prepared the project for nobody. */
async function plug(driver: Driver, script: (home: Home) => readonly Turn[]) {
  const made = (scene = await makeScene(driver, script, () => ({}), []));
  made.home.write('.sekisho/processes/careful.yaml', definition);
  const claude = (...args: string[]) =>
    run(join(driver.folder(), driver.id), ['plugin', ...args], { cwd: made.home.project, env: made.env });
  for (const folder of [shipped, join(shipped, 'plugin')]) {
    const { code, stdout, stderr } = await claude('validate', '--strict', folder);
    expect(code, stdout + stderr).toBe(0);
  }
  for (const args of [
    ['marketplace', 'add', shipped],
    ['install', 'sekisho@sekisho'],
  ]) {
    const { code, stdout, stderr } = await claude(...args);
    expect(code, stdout + stderr).toBe(0);
  }
  return { ...made, claude };
}

const ours = (tool: string, input: object): Turn => ({
  calls: [{ name: `mcp__plugin_sekisho_sekisho__${tool}`, input }],
});

const script = ({ project }: Home): readonly Turn[] => {
  const write = { name: 'Write', input: { file_path: join(project, 'hello.txt'), content: 'hello' } };
  return [
    ours('state_gate_create_run', { process_id: 'careful', context: { goal: 'Say hello' } }),
    { calls: [write] },
    ours('state_gate_emit_event', { event_name: 'finish', expected_revision: 0, idempotency_key: 'one' }),
    { calls: [write] },
    { text: 'Written.' },
  ];
};

describe.each([drivers.claude, drivers.newestClaude])('$id $version with the plugin', (driver) => {
  test('validates and installs it; its command starts a run, its hook refuses an edit, its server moves the run on', async () => {
    const { model, drive, results, journal, cli } = await plug(driver, script);
    const outcome = await drive('/sekisho:start careful Say hello');
    const told = JSON.stringify([results(), outcome.stderr], null, 1);
    expect(JSON.stringify(model.seen[0]?.body), told).toContain('Start a Sekisho run for this work: careful Say hello');
    const [started, refused, moved, written] = results();
    expect(started, told).toContain('"current_state":"think"');
    expect(refused, told).toContain('does not permit Write in the state "think"');
    expect(moved, told).toContain('"to_state":"done"');
    expect(written, told).toContain('created');
    const receipts = (await journal('hook.receipt')).filter((one) => one['event'] === 'pre-tool-use');
    expect(receipts.map((one) => [one['client'], one['tool'], one['decision']])).toContainEqual([
      'claude',
      'Write',
      'deny',
    ]);
    const { rings } = await cli('status');
    const led = (rings as { name: string; client?: string; state: string }[]).filter((one) => one.client === 'claude');
    expect(led).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'hooks', state: 'on' }),
        expect.objectContaining({ name: 'server', state: 'on' }),
      ]),
    );
    // It asks already: `init` need not prepare it.
    expect((await cli('init', '--yes'))['clients']).toEqual([]);
  });
});

test('a plugin that is switched off leads nobody to us', async () => {
  const { claude, cli } = await plug(drivers.newestClaude, () => []);
  const clients = async () =>
    ((await cli('status'))['rings'] as { client?: string }[]).flatMap((one) => one.client ?? []);
  expect(await clients()).toContain('claude');
  await claude('disable', 'sekisho@sekisho');
  expect(await clients()).toEqual([]);
});

test.skipIf(missing !== undefined)('in the sandbox the plugin does not stand in the way', async () => {
  const { results, driveInside } = await plug(drivers.newestClaude, ({ project }) => {
    const write = { name: 'Write', input: { file_path: join(project, 'hello.txt'), content: 'hello' } };
    const create = { name: 'mcp__sekisho__state_gate_create_run', input: { process_id: 'careful' } };
    const finish = { event_name: 'finish', expected_revision: 0, idempotency_key: 'one' };
    return [
      { calls: [create] },
      { calls: [write] },
      { calls: [{ name: 'mcp__sekisho__state_gate_emit_event', input: finish }] },
      { calls: [write] },
      { text: 'Written.' },
    ];
  });
  const { stdout, stderr } = await driveInside('Say hello');
  const told = JSON.stringify([results(), stdout, stderr], null, 1);
  const [started, refused, moved, written] = results();
  expect(started, told).toContain('"current_state":"think"');
  expect(refused, told).toContain('does not permit Write in the state "think"');
  expect(moved, told).toContain('"to_state":"done"');
  expect(written, told).toContain('created');
});
