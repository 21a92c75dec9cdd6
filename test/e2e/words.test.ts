import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect } from 'vitest';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

const fixtures = join(import.meta.dirname, '../fixtures/processes');
const install = (world: World, name: string) =>
  copyFileSync(join(fixtures, `${name}.yaml`), join(world.project, '.sekisho/processes', `${name}.yaml`));

/** What a person sees at a terminal of 60 columns. */
const at60 = async (world: World, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const words = args.map((one) => `'${one.replaceAll("'", `'\\''`)}'`).join(' ');
  return atTerminal(world, [], { env: { NO_COLOR: '1', ...env }, shell: (own) => `stty cols 60; ${own} ${words}` });
};

function expectFit(text: string): void {
  for (const line of text.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(60);
  expect(text).not.toMatch(/undefined|\[object|\n {4}at |[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/);
}

describe('words that people type', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test('start, submit, log: no revision, no key, ids by their beginning', async ({ world }) => {
      install(world, 'checkpoint');
      const listed = await at60(world, ['start']);
      expect(listed).toMatchObject({ code: 0, text: expect.stringContaining('checkpoint') });
      expectFit(listed.text);
      const run = (await world.cli(['start', 'checkpoint', 'Ship', 'it', '--json'])).json;
      expect(run).toMatchObject({ process_id: 'checkpoint', context: { goal: 'Ship it' }, revision: 0 });
      const open = await at60(world, ['submit']);
      expect(open.text).toContain('submit_observation');
      expectFit(open.text);
      world.write('notes.md', 'what was found');
      const short = String(run['run_id']).slice(0, 17);
      const line = [
        'submit',
        'submit_observation',
        'notes.md',
        '--payload',
        '{"findings":"f"}',
        '--run-id',
        short,
        '--json',
      ];
      expect((await world.cli(line)).json['result']).toMatchObject({ accepted: true, new_revision: 1 });
      const state = await at60(world, ['gate', 'get-state', '--run-id', short]);
      expect(state.code).toBe(0);
      expectFit(state.text);
      const log = await at60(world, ['log', short]);
      expect(log.text).toMatch(/\d\d:\d\d:\d\d {2}run\.event/);
      expectFit(log.text);
      expect((await world.cli(['log', short, '--json'])).json['entries'].length).toBeGreaterThan(1);
    });

    test('what is wrong is said in the words of the command line', async ({ world }) => {
      const missing = await at60(world, ['gate', 'create-run']);
      expect(missing.text).toBe('✗ --process-id is required; sekisho gate list-processes\n  shows them\n');
      expect(missing.code).toBe(1);
      const ja = await at60(world, ['gate', 'create-run', '--lang', 'ja']);
      expect(ja.text).toContain('--process-id が必要です');
      const json = await at60(world, ['gate', 'create-run', '--process-id', 'x', '--context', 'no']);
      expect(json.text).toContain('--context must be JSON');
      const number = await at60(world, ['gate', 'list-runs', '--limit', 'abc']);
      expect(number.text).toContain('--limit must be a number');
      const none = await at60(world, ['gate', 'get-state', '--run-id', 'run-none']);
      expect(none.text).toMatch(/^✗ RUN_NOT_FOUND: There is no run "run-none"/);
      const file = await at60(world, ['work', 'import', 'nope.jsonl']);
      expect(file.text).not.toMatch(/\n {4}at /);
      expect(file.code).not.toBe(0);
    });

    test('a reader that stops early and Ctrl-C are quiet', async ({ world }) => {
      install(world, 'checkpoint');
      const piped = await atTerminal(world, [], {
        shell: (own) => `${own} --help | head -1; ${own} gate list-processes | head -1`,
      });
      expect(piped.text).not.toContain('EPIPE');
      expect(piped.text).not.toMatch(/\n {4}at /);
    });

    test('help explains anything', async ({ world }) => {
      const one = await world.cli(['help', 'gate', 'create-run']);
      expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('--process-id') });
      expect((await world.cli(['help', 'submit'])).stdout).toContain('sekisho submit <event>');
      expect((await world.cli(['help'])).stdout).toContain('sekisho help <anything>');
    });

    test('a shell completes commands, operations, flags, choices, processes, runs and events', async ({ world }) => {
      install(world, 'checkpoint');
      const offered = async (...words: string[]) =>
        (await world.cli(['completion', '--', ...words])).stdout.split('\n').filter((one) => one !== '');
      expect(await offered('sta')).toEqual(expect.arrayContaining(['start', 'status']));
      expect(await offered('gate', 'create')).toEqual(['create-run']);
      expect(await offered('gate', 'create-run', '--pro')).toEqual(['--process-id', '--project']);
      expect(await offered('gate', 'create-run', '--process-id', 'check')).toEqual(['checkpoint']);
      expect(await offered('start', 'check')).toEqual(['checkpoint']);
      expect(await offered('work', 'list-tasks', '--status', 'to')).toEqual(['todo']);
      const run = String((await world.cli(['start', 'checkpoint', '--json'])).json['run_id']);
      expect(await offered('gate', 'get-state', '--run-id', 'run-')).toEqual([run]);
      expect(await offered('submit', 'submit_ob')).toEqual(['submit_observation']);
      for (const shell of ['bash', 'zsh', 'fish'])
        expect((await world.cli(['completion', shell])).stdout).toContain('sekisho completion --');
      const bash = await atTerminal(world, [], {
        shell: (own) =>
          `bash --norc -c 'sekisho() { ${own.replaceAll("'", '')} "$@"; }; source <(sekisho completion bash); COMP_WORDS=(sekisho start check); COMP_CWORD=2; _sekisho; echo "found: \${COMPREPLY[*]}"'`,
      });
      expect(bash.text).toContain('found: checkpoint');
    });

    test('ps and tasks are short tables', async ({ world }) => {
      const made = await world.person([
        'admin',
        'create-project',
        '--name',
        'Site',
        '--working-directory',
        '.',
        '--json',
      ]);
      const title = '長い題名のタスクをここに書いておきます。とても長いです。';
      const project = String(made.json['project'].project_id);
      const task = await world.person(['admin', 'create-task', '--project-id', project, '--title', title, '--json']);
      expect(task.json).toMatchObject({ success: true });
      const shown = await at60(world, ['tasks']);
      expect(shown.text).toMatch(/#1 +backlog/);
      expectFit(shown.text);
      const none = await at60(world, ['ps'], { SEKISHO_LANG: 'ja' });
      expect(none).toMatchObject({ code: 0, text: expect.stringContaining('なし') });
    });
  });
});
