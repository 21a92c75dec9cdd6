import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { requires } from './requirements.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

const command = (world: World) =>
  (parse(readFileSync(join(world.project, '.sekisho/config.yaml'), 'utf8')) as { test?: unknown } | null)?.test;

const packageOf = (script: string) => JSON.stringify({ scripts: { test: script } });

/** Walks to `verify` as an agent would, and lets the gate decide. */
async function verified(world: World): Promise<Record<string, any>> {
  const { value } = await world.call('state_gate.create_run', { process_id: 'explore-plan-implement-verify' });
  let revision = 0;
  const emit = (event_name: string, artifact_paths: string[] = []) =>
    world.call('state_gate.emit_event', {
      run_id: value['run_id'],
      event_name,
      artifact_paths,
      expected_revision: revision,
      idempotency_key: `${event_name}-${revision++}`,
    });
  const note = (path: string) =>
    world.write(
      path,
      `# ${path}\n\n## Steps\nOne after the other, with care.\n\n## Checks\nThe tests of the project.\n`,
    );
  await emit('submit_exploration', [note('exploration.md')]);
  await emit('submit_plan', [note('plan.md')]);
  await emit('submit_changes', [note('changes.md')]);
  return (await emit('verify')).value;
}

inOneWorld('stdio', 'sqlite', (test) => {
  test(requires('gate.test-command'), async ({ world }) => {
    execFileSync('git', ['init', '-q'], { cwd: world.project });
    world.write('package.json', packageOf('node -e "process.exit(0)"'));
    const { code, json } = await world.cli(['init', '--test-command', 'npm test', '--json']);
    expect(code).toBe(0);
    expect(json['test']).toEqual({ command: ['npm', 'test'], trusted: true, found: [] });
    expect((await verified(world))['result']).toMatchObject({ transition: { to_state: 'done' } });
    const { json: journal } = await world.cli(['journal', 'list', '--json']);
    expect(JSON.stringify(journal)).toContain('"command":["npm","test"]');
    // A variable of the agent's own shell is no configuration.
    world.write('package.json', packageOf('node -e "process.exit(3)"'));
    await world.cli(['gate', 'create-run', '--process-id', 'release', '--json'], { env: { SEKISHO_TEST: 'true' } });
    world.write('docs/release-notes.md', 'What is new in this one, told in one line that is long enough to count.');
    const cheat = ['gate', 'emit-event', '--event-name', 'submit_notes', '--expected-revision', '0'];
    const more = ['--idempotency-key', 'k', '--artifact-paths', 'docs/release-notes.md', '--json'];
    const refused = await world.cli([...cheat, ...more], { env: { SEKISHO_TEST: 'true' } });
    expect(refused.stdout).toContain('npm test');
    expect(refused.json).toMatchObject({ result: { moved: false } });
  });

  test('without a terminal what was found is named and nothing is set; a person sets it later, and it holds', async ({
    world,
  }) => {
    world.write('package.json', packageOf('node -e ""'));
    world.write('yarn.lock', '');
    const told = await world.cli(['init']);
    expect(told.stdout).toContain('yarn test (package.json, yarn.lock)');
    expect(told.stdout).toContain('sekisho init --test-command "yarn test"');
    expect(command(world)).toBeUndefined();
    const refused = await world.cli(['init', '--test-command', 'true']);
    expect(refused.code).toBe(1);
    expect(refused.stderr + refused.stdout).toContain('Only a person');
    const { json } = await world.person(['init', '--test-command', "npm run 'test'", '--json']);
    expect(json['test']).toMatchObject({ command: ['npm', 'run', 'test'], trusted: true });
    const again = await world.person(['init'], { env: { SEKISHO_LANG: 'ja' } });
    expect(again.stdout).toContain('テストコマンド: npm run test (.sekisho/config.yaml の設定)');
    expect((await world.person(['init', '--test-command', 'npm test && true'])).code).toBe(2);
  });

  test('at a terminal it is asked: Enter takes what was found, a line replaces it, nothing leaves it out', async ({
    world,
  }) => {
    world.write('Cargo.toml', '[package]\n');
    const given = ['--client', 'claude', '--toolsets', 'gate', '--process', 'bug-fix'];
    const answer = (typed: string, language = 'en') =>
      atTerminal(world, ['init', ...given, '--lang', language], {
        answers: {
          [language === 'ja' ? 'テストは何で実行しますか' : 'What runs the tests?']: typed,
          [language === 'ja' ? 'これらのファイルに書き込みますか' : 'Write these files?']: '',
        },
      });
    // What was found stands there already; Ctrl-U empties the line.
    await answer('\u0015');
    expect(command(world)).toBeUndefined();
    await answer('', 'ja');
    expect(command(world)).toEqual(['cargo', 'test']);
    // Configured: nobody is asked any more.
    const again = await atTerminal(world, ['init', ...given], { answers: { 'Write these files?': '' } });
    expect(again.text).toContain('Test command: cargo test');
    writeFileSync(join(world.project, '.sekisho/config.yaml'), 'lang: en\n');
    const typed = await answer('\u0015cargo nextest run');
    expect(command(world)).toEqual(['cargo', 'nextest', 'run']);
    // Somebody had changed the file since a person saw it.
    expect(typed.text).toContain('sekisho trust');
  });

  test('where nothing is found it says so and how to set it; what an agent names waits for a person', async ({
    world,
  }) => {
    const agent = { env: { CLAUDECODE: '1' } };
    const { json } = await world.cli(['init', '--test-command', 'true', '--json'], agent);
    expect(json['test']).toMatchObject({ command: ['true'], trusted: false });
    world.write('../sub/a.txt', 'a');
    const none = await world.cli(['init', '../sub']);
    expect(none.stdout).toContain('none was found');
    expect(none.stdout).toContain('sekisho init --test-command');
  });
});
