import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Home } from './cli.ts';
import { type Driver, drivers } from './driver.ts';
import type { Turn } from './model/model.ts';
import { type Scene, addWorktree, makeScene, worktreeOf } from './scene.ts';

const definition = `id: careful
version: "1"
initial_state: think
states:
  - name: think
    description: Nothing is written yet
    tool_permissions: { denied: [Write, Edit, Bash] }
  - name: act
  - { name: done, is_final: true }
events: [{ name: submit_plan }, { name: finish }]
transitions:
  - { from: think, event: submit_plan, to: act, guard: has_plan }
  - { from: act, event: finish, to: done }
guards: { has_plan: { type: artifact, artifact_type: plan, condition: exists } }
artifacts: [{ type: plan, description: What will be done }]
`;

let scene: Scene | undefined;

afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

/** Nothing is at its usual place: Codex starts a server with next to none of these variables. */
async function prepare(driver: Driver, script: (home: Home) => readonly Turn[]): Promise<Scene> {
  const elsewhere = ({ folder }: Home) => ({
    XDG_DATA_HOME: join(folder, 'elsewhere'),
    SEKISHO_DB: join(folder, 'elsewhere.db'),
  });
  const made = (scene = await makeScene(driver, script, elsewhere));
  made.home.write('.sekisho/processes/careful.yaml', definition);
  made.home.write('plan.md', 'First this, then that.');
  expect(await made.cli('gate', 'create-run', '--process-id', 'careful')).not.toHaveProperty('error');
  return made;
}

const evidence = {
  event_name: 'submit_plan',
  expected_revision: 0,
  idempotency_key: 'plan-1',
  artifact_paths: ['plan.md'],
};

test('Claude Code is denied a tool by its hook in one state and allowed it after evidence moved the run on', async () => {
  const { home, drive, results, journal } = await prepare(drivers.claude, ({ project }) => {
    const write = { name: 'Write', input: { file_path: join(project, 'hello.txt'), content: 'hello' } };
    return [
      { calls: [write] },
      { calls: [{ name: 'mcp__sekisho__state_gate_emit_event', input: evidence }] },
      { calls: [write] },
      { text: 'Written.' },
    ];
  });
  const outcome = await drive('Write hello.txt');
  const [refused, moved, written] = results();
  expect(refused, outcome.stdout).toContain('does not permit Write in the state "think"');
  expect(refused).toContain('submit_plan');
  expect(moved).toContain('"to_state":"act"');
  expect(written).toContain('created');
  expect(readFileSync(join(home.project, 'hello.txt'), 'utf8')).toBe('hello');
  const result = outcome.events.find((one) => one['type'] === 'result');
  expect(result).toMatchObject({ is_error: false, result: 'Written.' });
  expect(result?.['permission_denials']).toMatchObject([{ tool_name: 'Write' }]);
  const receipts = await journal('hook.receipt');
  expect(receipts.map((one) => [one['event'], one['tool'], one['decision']])).toEqual(
    expect.arrayContaining([
      ['pre-tool-use', 'Write', 'deny'],
      ['pre-tool-use', 'Write', 'none'],
    ]),
  );
});

test.each(Object.values(drivers))('$id $version asks in a worktree in which nothing was prepared', async (driver) => {
  const { home, drive, results, journal } = await prepare(driver, (at) => [
    (seen) => ({ calls: [driver.write(join(worktreeOf(at), 'hello.txt'), 'hello', seen)] }),
    (seen) => ({ calls: [driver.mcp('state_gate_get_state', {}, seen)] }),
    { text: 'Refused.' },
  ]);
  const tree = addWorktree(home);
  const outcome = await drive('Write hello.txt', tree);
  const [refused, state] = results();
  expect(refused, outcome.stdout + outcome.stderr).toContain('in the state "think"');
  expect(existsSync(join(tree, 'hello.txt'))).toBe(false);
  expect(state).toContain('careful');
  const asked = (await journal('hook.receipt')).filter((one) => one['event'] === 'pre-tool-use');
  expect(asked.map((one) => [one['client'], one['decision']])).toEqual([
    [driver.id, 'deny'],
    [driver.id, 'none'],
  ]);
});

test('Codex is denied its shell by its hook in one state and allowed it after evidence moved the run on', async () => {
  const shell: Turn = (seen) => ({ calls: [drivers.codex.shell('echo hello > hello.txt', seen)] });
  const { home, drive, results, journal } = await prepare(drivers.codex, () => [
    shell,
    { calls: [{ name: 'state_gate_emit_event', namespace: 'mcp__sekisho', input: evidence }] },
    shell,
    { text: 'Written.' },
  ]);
  const outcome = await drive('Write hello.txt');
  const [refused, moved] = results();
  expect(refused, outcome.stdout).toContain('in the state "think"');
  expect(moved).toContain('act');
  expect(readFileSync(join(home.project, 'hello.txt'), 'utf8')).toBe('hello\n');
  const receipts = await journal('hook.receipt');
  expect(receipts.map((one) => [one['client'], one['decision']])).toEqual(
    expect.arrayContaining([
      ['codex', 'deny'],
      ['codex', 'none'],
    ]),
  );
});
