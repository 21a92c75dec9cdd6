import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Home } from './cli.ts';
import { makeHome, run, runClaude, runCodex, sekisho } from './cli.ts';
import type { Model } from './model/model.ts';
import { startModel } from './model/model.ts';

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

let home: Home | undefined;
let model: Model | undefined;

afterEach(async () => {
  await model?.close();
  home?.close();
});

async function prepare(client: string): Promise<Home> {
  const made = makeHome();
  const cli = (...args: string[]) => run(process.execPath, [sekisho, ...args], { cwd: made.project, env: made.env });
  expect((await cli('init', '--client', client)).code).toBe(0);
  made.write('.sekisho/processes/careful.yaml', definition);
  made.write('plan.md', 'First this, then that.');
  expect((await cli('gate', 'create-run', '--process-id', 'careful')).code).toBe(0);
  return made;
}

const receipts = async (at: Home) => {
  const { stdout } = await run(process.execPath, [sekisho, 'journal', 'list', '--json', '--limit', '100'], {
    cwd: at.project,
    env: at.env,
  });
  const { entries } = JSON.parse(stdout) as { entries: { kind: string; data: Record<string, any> }[] };
  return entries.filter((one) => one.kind === 'hook.receipt').map((one) => one.data);
};

const evidence = {
  event_name: 'submit_plan',
  expected_revision: 0,
  idempotency_key: 'plan-1',
  artifact_paths: ['plan.md'],
};

test('Claude Code is denied a tool by its hook in one state and allowed it after evidence moved the run on', async () => {
  home = await prepare('claude');
  const file = join(home.project, 'hello.txt');
  const write = { name: 'Write', input: { file_path: file, content: 'hello' } };
  model = await startModel([
    { calls: [write] },
    { calls: [{ name: 'mcp__sekisho__state_gate_emit_event', input: evidence }] },
    () => ({ calls: [write] }),
    { text: 'Written.' },
  ]);
  const outcome = await runClaude(home, model.url, 'Write hello.txt');
  const [refused, moved, written] = model.seen.at(-1)?.results ?? [];
  expect(refused).toContain('does not permit Write in the state "think"');
  expect(refused).toContain('submit_plan');
  expect(moved).toContain('"to_state":"act"');
  expect(written).toContain('created');
  expect(readFileSync(file, 'utf8')).toBe('hello');
  const result = outcome.events.find((one) => one['type'] === 'result');
  expect(result).toMatchObject({ is_error: false, result: 'Written.' });
  expect(result?.['permission_denials']).toMatchObject([{ tool_name: 'Write' }]);
  expect((await receipts(home)).map((one) => [one['event'], one['tool'], one['decision']])).toEqual(
    expect.arrayContaining([
      ['pre-tool-use', 'Write', 'deny'],
      ['pre-tool-use', 'Write', 'none'],
    ]),
  );
});

test('Codex is denied its shell by its hook in one state and allowed it after evidence moved the run on', async () => {
  home = await prepare('codex');
  const file = join(home.project, 'hello.txt');
  model = await startModel([
    (seen) => ({ calls: [shell(seen.tools, 'echo hello > hello.txt')] }),
    { calls: [{ name: 'state_gate_emit_event', namespace: 'mcp__sekisho', input: evidence }] },
    (seen) => ({ calls: [shell(seen.tools, 'echo hello > hello.txt')] }),
    { text: 'Written.' },
  ]);
  await runCodex(home, model.url, 'Write hello.txt');
  const [refused, moved] = model.seen.at(-1)?.results ?? [];
  expect(refused).toContain('in the state "think"');
  expect(moved).toContain('act');
  expect(readFileSync(file, 'utf8')).toBe('hello\n');
  expect((await receipts(home)).map((one) => [one['client'], one['decision']])).toEqual(
    expect.arrayContaining([
      ['codex', 'deny'],
      ['codex', 'none'],
    ]),
  );
});

/** Codex names its shell differently from model to model. */
function shell(tools: readonly string[], command: string) {
  if (tools.includes('exec_command')) return { name: 'exec_command', input: { cmd: command } };
  if (tools.includes('shell_command')) return { name: 'shell_command', input: { command } };
  return { name: 'shell', input: { command: ['bash', '-lc', command] } };
}
