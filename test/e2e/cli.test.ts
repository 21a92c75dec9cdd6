import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { commands } from '../../src/command/commands.ts';
import { loadCatalogue } from '../../src/app/catalogue.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';
import { initializeParams, rawServer } from './raw.ts';
import { requires } from './requirements.ts';
import { trustConfiguration } from '../setup/trust.ts';

const fixtures = join(import.meta.dirname, '../fixtures/processes');

function install(world: World, ...names: string[]): void {
  for (const name of names)
    copyFileSync(join(fixtures, `${name}.yaml`), join(world.project, '.sekisho/processes', `${name}.yaml`));
}

/** Another project beside the world's own. */
async function folder(world: World, name: string, configuration?: string): Promise<string> {
  const path = join(dirname(world.project), name);
  mkdirSync(join(path, '.sekisho'), { recursive: true });
  if (configuration !== undefined) {
    writeFileSync(join(path, '.sekisho/config.yaml'), configuration);
    await trustConfiguration(path, world.env);
  }
  return path;
}

const emitLine = (run: string, event: string, revision: number, ...more: string[]): readonly string[] =>
  `gate emit-event --run-id ${run} --event-name ${event} --expected-revision ${revision} --idempotency-key ${event}-${revision} --json`
    .split(' ')
    .concat(more);

const start = async (world: World, process: string) =>
  String((await world.cli(['gate', 'create-run', '--process-id', process, '--json'])).json['run_id']);

describe('the command line', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test(requires('common.variables'), async ({ world }) => {
      const wrong = { LOG_LEVEL: 'loud', CACHE_TTL: 'abc', SEKISHO_FLEET_MAX_CONCURRENT: '-1', SEKISHO_LANG: 'xx' };
      for (const [name, value] of Object.entries(wrong)) {
        const told = await world.cli(['gate', 'list-runs'], { env: { [name]: value } });
        expect(told.code).not.toBe(0);
        expect(told.stdout + told.stderr).toContain(name);
        expect(told.stdout + told.stderr).toContain(`"${value}"`);
        expect(told.stderr).not.toContain(' at ');
        const server = await rawServer(world, [], { [name]: value });
        await server.request('initialize', initializeParams('2025-11-25'));
        const answer = await server.request('tools/call', { name: 'state_gate.list_runs', arguments: {} });
        expect(answer['error']?.message, `the server with ${name}`).toContain(name);
      }
      for (const level of ['debug', 'WARN', '0', '3', ''])
        expect((await world.cli(['gate', 'list-runs', '--json'], { env: { LOG_LEVEL: level } })).code, level).toBe(0);
    });

    describe('help', () => {
      test('--help and -h show every command, the toolsets and examples, --version and -v the version and nothing else', async ({
        world,
      }) => {
        for (const flag of ['--help', '-h']) {
          const { code, stdout } = await world.cli([flag]);
          expect(code).toBe(0);
          for (const { name } of commands) expect(stdout).toContain(`  ${name} `);
          expect(stdout).toContain('Toolsets: gate, upstream, fleet, work, phase, admin');
          expect(stdout).toContain('Examples:\n  sekisho init');
        }
        const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
          version: string;
        };
        for (const flag of ['--version', '-v'])
          expect(await world.cli([flag])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
      });

      // What the help of every other command says: test/surface/help.test.ts.
      test('a command with --help, of one word, of two, and of an entry of its own, shows its usage', async ({
        world,
      }) => {
        for (const name of ['init', 'gate lint', 'mcp', 'hook']) {
          const { code, stdout } = await world.cli([...name.split(' '), '--help']);
          expect(code, name).toBe(0);
          expect(stdout).toContain(`Usage: sekisho ${name}`);
        }
      });

      test('a toolset lists its operations, an operation its flags and an example', async ({ world }) => {
        const toolset = await world.cli(['gate', '--help']);
        expect(toolset.code).toBe(0);
        for (const { name } of (await loadCatalogue()).operations.filter((one) => one.toolsets.includes('gate')))
          expect(toolset.stdout).toContain(` ${name.split('.').at(-1)?.replaceAll('_', '-')} `);
        const { code, stdout } = await world.cli(['gate', 'emit-event', '--help']);
        expect(code).toBe(0);
        expect(stdout).toMatch(/--event-name STRING .*\(required\)/);
        expect(stdout).toMatch(/--artifact-paths VALUE …/);
        expect(stdout).toContain('Example:\n  sekisho gate emit-event --event-name');
      });
    });

    describe('a person who reads Japanese', () => {
      test('gets help and refusals in Japanese, by flag, variable, configuration or locale', async ({ world }) => {
        const told = await folder(world, 'told', 'lang: ja\n');
        const ways: readonly (readonly [readonly string[], Record<string, string>])[] = [
          [['--lang', 'ja'], {}],
          [[], { SEKISHO_LANG: 'ja' }],
          [['--project', told], {}],
          [[], { LANG: 'ja_JP.UTF-8' }],
        ];
        for (const [flags, env] of ways) {
          const main = await world.cli([...flags, '--help'], { env });
          expect(main.stdout).toContain('\n毎日使うもの\n  status ');
          const operation = await world.cli(['help', 'admin', 'update-task', ...flags], { env });
          expect(operation).toMatchObject({ code: 0, stderr: '' });
          expect(operation.stdout).toMatch(/--task-id STRING +タスクの ID または番号 \(12、#12、プロジェクト#12\) \(必須\)/);
          expect((await world.cli(['gate', 'use', ...flags], { env })).stderr).toBe(
            '✗ 使い方: sekisho gate use <run-id>\n',
          );
          const wrong = await world.cli(['gate', 'lint', '--nope', ...flags], { env });
          expect(wrong).toMatchObject({ code: 2, stderr: '✗ フラグ --nope はありません。--help をご覧ください。\n' });
        }
        const english = await world.cli(['help', 'gate', 'lint', '--project', told, '--lang', 'en']);
        expect(english.stdout).toContain('Report every problem');
      });

      test('gets findings, checks, proofs and reasons in Japanese', async ({ world }) => {
        const env = { SEKISHO_LANG: 'ja', NO_COLOR: '1' };
        install(world, 'broken');
        const shown = async (...args: string[]) => (await atTerminal(world, args, { env })).text;
        expect(await shown('gate', 'lint')).toMatch(/エラー UNKNOWN_STATE\s+状態「nowhere」/);
        expect(await shown('doctor')).toMatch(/正常 +データベース/);
        expect(await shown('journal', 'verify')).toMatch(/すべて書き込まれたときのままです/);
        const lint = (await world.cli(['gate', 'lint', '--json'], { env })).json;
        expect(lint['problems'].map((one: { message: string }) => one.message)).toContain(
          '状態「nowhere」はありません。',
        );
        const missing = await world.cli(['gate', 'create-run', '--json'], { env });
        expect(missing.json['message']).toContain('/process_id: 必須です');
        const wrong = await world.cli(['gate', 'list-runs', '--limit', '0', '--json'], { env });
        expect(wrong.json['message']).toContain('1 以上にしてください');
        const port = await world.cli(['up', '--port', 'x'], { env });
        expect(port.stderr).toContain('0 から 65535 までの整数を指定してください');
        const made = await world.cli(['gate', 'list-runs', '--toolsets', 'moon'], { env });
        expect(made.stderr).toContain('ツールセット moon はありません');
      });
    });

    test('a line that makes no sense says so on stderr and exits with 2', async ({ world }) => {
      for (const [args, said] of [
        [['inti'], 'Did you mean "init"?'],
        [['gat', 'lint'], 'Did you mean "gate"?'],
        [['gate', 'get-stat'], 'Did you mean "gate get-state"?'],
        [['xyzzy'], 'There is no command "xyzzy". See'],
        [['gate', 'get-state', '--nope'], 'There is no flag --nope here.'],
        [['gate', 'lint', '--nope'], 'There is no flag --nope here.'],
        [['gate', 'get-state', '--run-id'], '--run-id needs a value.'],
        [['gate', 'use'], 'Usage: sekisho gate use <run-id>'],
        [['journal', 'list', '--limit', '1.5'], 'Usage: sekisho journal list'],
        [['journal', 'list', '--limit', 'abc'], 'Usage: sekisho journal list'],
        [['journal', 'list', '--limit', '0'], 'Usage: sekisho journal list'],
        [['journal', 'list', '--after', 'abc'], 'Usage: sekisho journal list'],
        [['log', '--limit', '1e2'], 'Usage: sekisho log'],
        [['gate', 'list-runs', '--lang', 'xx'], '"xx" is not one of en, ja'],
        [['gate', 'list-runs', '--toolsets', 'moon'], 'unknown toolset moon'],
        [['up', '--port', 'x'], '"x" is not a whole number from 0 to 65535'],
      ] as const) {
        const { code, stdout, stderr } = await world.cli([...args]);
        expect({ code, stdout }, said).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(said);
        expect(stderr).not.toMatch(/^\s+at /m);
      }
    });

    describe('answers', () => {
      test('a pipe gets exactly the structured result as JSON, a terminal gets tables', async ({ world }) => {
        install(world, 'checkpoint');
        const piped = await world.cli(['gate', 'list-processes', '--json']);
        const asked = await world.cli(['gate', 'list-processes', '--json']);
        expect(piped.code).toBe(0);
        expect(piped.json['processes'].map((one: { process_id: string }) => one.process_id)).toContain('checkpoint');
        expect(asked.stdout).toBe(piped.stdout);
        const shown = await atTerminal(world, ['gate', 'list-processes']);
        expect(shown.code).toBe(0);
        expect(shown.text).toMatch(/processes \(\d+\)/);
        expect(shown.text).toMatch(/process_id +version +name/);
        expect(shown.text).toMatch(/checkpoint +2\.1\.0 +Checkpoint/);
        expect(shown.text).toContain('\u001B[');
        const json = await atTerminal(world, ['gate', 'list-processes', '--json']);
        expect(JSON.parse(json.text)).toEqual(piped.json);
      });

      test('NO_COLOR keeps a terminal plain', async ({ world }) => {
        const { text } = await atTerminal(world, ['gate', 'list-processes'], { env: { NO_COLOR: '1' } });
        expect(text).toContain('process_id');
        expect(text).not.toContain('\u001B[');
      });

      test('flags carry numbers, objects, and lists, repeated or as JSON', async ({ world }) => {
        install(world, 'checkpoint');
        const context = JSON.stringify({ goal: 'ship', n: 2 });
        const run = await world.cli(['gate', 'create-run', '--process-id=checkpoint', '--context', context, '--json']);
        expect(run.json['context']).toMatchObject({ goal: 'ship', n: 2 });
        const paths = ['a', 'b', 'c'].map((name) => world.write(`evidence/cli-${name}.md`, name));
        const line = (revision: number, ...lists: string[]) =>
          emitLine(
            String(run.json['run_id']),
            'submit_observation',
            revision,
            '--payload',
            '{"findings":"f"}',
            ...lists,
          );
        const first = await world.cli(line(0, '--artifact-paths', paths[0] ?? ''));
        expect(first.json['result']).toMatchObject({ new_revision: 1, transition: { to_state: 'observe' } });
        const second = await world.cli(line(1, '--artifact-paths', JSON.stringify(paths.slice(1))));
        expect(second.json['result']).toMatchObject({ new_revision: 2, transition: { to_state: 'synthesize' } });
        const repeated = paths.flatMap((path) => ['--artifact-paths', path]);
        expect((await world.cli(line(5, ...repeated))).json['code']).toBe('INVALID_EVENT');
      });

      test('a flag, a variable and a locale make every text Japanese', async ({ world }) => {
        for (const how of ['--lang=ja', 'SEKISHO_LANG=ja', 'LANG=ja_JP.UTF-8', 'LC_ALL=ja_JP.UTF-8']) {
          const [name = '', value = ''] = how.split('=');
          const flag = name.startsWith('--') ? [how] : [];
          const env = name.startsWith('--') ? {} : { [name]: value };
          const refused = await world.cli([...flag, 'gate', 'get-state', '--run-id', 'run-x', '--json'], { env });
          expect(refused.json['message'], how).toContain('存在しません');
          const unknown = await world.cli([...flag, 'inti'], { env });
          expect(unknown.stderr, how).toContain('コマンド「inti」はありません');
        }
      });
    });

    describe('exit codes', () => {
      test('a refusal is 1, with the failure on stdout for --json, and code and text at a terminal', async ({
        world,
      }) => {
        const piped = await world.cli(['gate', 'get-state', '--run-id', 'run-none', '--json']);
        expect(piped).toMatchObject({ code: 1, stderr: '', json: { code: 'RUN_NOT_FOUND' } });
        const shown = await atTerminal(world, ['gate', 'get-state', '--run-id', 'run-none']);
        expect(shown.code).toBe(1);
        expect(shown.text).toContain('RUN_NOT_FOUND');
        expect(shown.text).toContain('There is no run "run-none".');
        expect(shown.text).not.toContain('{');
      });

      test('something that is not there is 1', async ({ world }) => {
        for (const line of [
          'gate graph nope',
          'gate graph --run-id run-none',
          'gate use run-none',
          'gate create-run --process-id nope',
        ])
          expect((await world.cli(line.split(' '))).code, line).toBe(1);
      });

      test.for([
        ['a server that does not answer', 'postgres://sekisho:secret@127.0.0.1:1/none'],
        ['a path below a file', 'package.json/x.db'],
      ] as const)('%s is 3, says which, and shows no password', async ([, db], { world }) => {
        world.write('package.json', '{}');
        for (const args of [
          ['gate', 'list-runs'],
          ['journal', 'list'],
        ]) {
          const { code, stdout, stderr } = await world.cli([...args, '--db', db]);
          const said = stdout + stderr;
          expect(code).toBe(3);
          expect(said).toContain(db.includes('@') ? '127.0.0.1:1' : 'x.db');
          expect(said).not.toContain('secret');
          expect(said).not.toMatch(/^\s+at /m);
        }
      });
    });

    describe('a file of passkeys', () => {
      test.for([
        ['a list that does not end', 'one: right\ntwo: [hush-hush\n', 'line 3, column 1'],
        ['a key twice', 'one: hush-hush\none: hush-hush\n', 'line 2, column 1'],
        ['an alias of nothing', 'one: *hush-hush\n', 'not valid YAML'],
        ['a tag that nobody knows', 'one: !hush-hush [a]\n', 'agent ids'],
      ] as const)('with %s is exit code 2 and says where, never what', async ([, text, said], { world }) => {
        const file = join(world.project, world.write('../passkeys.yaml', text));
        chmodSync(file, 0o600);
        const env = { SEKISHO_RUNNER_PASSKEY_FILE: file };
        const { code, stdout, stderr } = await world.cli(['runner', '--once'], { env });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(file);
        expect(stderr).toContain(said);
        expect(stderr).not.toContain('hush');
        expect(stderr).not.toMatch(/^\s+at /m);
      });
    });

    test('phase edit of a store that is away is 3 for a program too', async ({ world }) => {
      const { code, json } = await world.cli([
        'phase',
        'edit',
        'note',
        '--json',
        '--db',
        'postgres://127.0.0.1:1/none',
      ]);
      expect({ code, failed: json['code'] }).toEqual({ code: 3, failed: 'STORE_UNAVAILABLE' });
    });

    describe('the configuration', () => {
      test('that cannot be used is exit code 2 and says where', async ({ world }) => {
        for (const [title, text, said] of [
          ['broken YAML', 'lang: [en', /config\.yaml cannot be used: .*line 1/s],
          ['an unknown key', 'lnag: en', /config\.yaml cannot be used: .*"lnag"/],
          ['a wrong value', 'http: { port: high }', /config\.yaml cannot be used: http\.port: /],
          ['several wrong values', 'lang: xx\nidentity: maybe', /lang: .*; identity: /],
          ['a variable that is not set', 'lang: ${env:NO_SUCH_THING}', /environment variable NO_SUCH_THING is not set/],
          ['a list at the top', '- a', /config\.yaml cannot be used: top level: /],
        ] as const) {
          const cwd = await folder(world, title.replaceAll(' ', '-'), text);
          const { code, stdout, stderr } = await world.cli(['gate', 'list-runs'], { cwd });
          expect({ code, stdout }, title).toEqual({ code: 2, stdout: '' });
          expect(stderr).toMatch(said);
          expect(stderr).toContain(join(cwd, '.sekisho/config.yaml'));
          expect(stderr).not.toMatch(/^\s+at /m);
        }
      });

      test('a variable that is set is filled in', async ({ world }) => {
        const cwd = await folder(world, 'filled', 'lang: ${env:MY_LANG}\n');
        const { json } = await world.cli(['gate', 'get-state', '--json'], { cwd, env: { MY_LANG: 'ja' } });
        expect(json['message']).toContain('現在の run がありません');
      });

      test('flags win over the environment, the environment over the file', async ({ world }) => {
        const cwd = await folder(world, 'order', 'lang: ja\n');
        const message = async (args: readonly string[], env = {}) =>
          String((await world.cli(['gate', 'get-state', ...args, '--json'], { cwd, env })).json['message']);
        expect(await message([])).toContain('ありません');
        expect(await message([], { SEKISHO_LANG: 'en' })).toContain('This project has no current run');
        expect(await message(['--lang', 'ja'], { SEKISHO_LANG: 'en' })).toContain('ありません');
      });

      test('processes may be folders or files, relative to the project', async ({ world }) => {
        const cwd = await folder(world, 'sources', 'processes: [flows, loop.yaml]\n');
        mkdirSync(join(cwd, 'flows/deep'), { recursive: true });
        copyFileSync(join(fixtures, 'checkpoint.yaml'), join(cwd, 'flows/deep/c.yml'));
        copyFileSync(join(fixtures, 'loop.yaml'), join(cwd, 'loop.yaml'));
        const { json } = await world.cli(['gate', 'list-processes', '--json'], { cwd: join(cwd, 'flows') });
        const sources = json['processes'].map((one: { source: string }) => one.source);
        expect(sources).toEqual(expect.arrayContaining(['flows/deep/c.yml', 'loop.yaml']));
      });
    });

    test('init makes .sekisho once and leaves what is there alone', async ({ world }) => {
      const cwd = join(dirname(world.project), 'fresh');
      mkdirSync(cwd);
      const first = await world.cli(['init', '--json'], { cwd });
      expect(first).toMatchObject({ code: 0, json: { root: cwd, home: join(cwd, '.sekisho') } });
      expect(existsSync(join(cwd, '.sekisho/processes'))).toBe(true);
      expect(statSync(world.place.data.state).mode & 0o077).toBe(0);
      expect(readdirSync(join(cwd, '.sekisho')).toSorted()).toEqual(['config.yaml', 'processes']);
      writeFileSync(join(cwd, '.sekisho/config.yaml'), 'lang: ja\n');
      expect((await world.cli(['init'], { cwd })).stderr).toContain('Only a person');
      const again = await world.person(['init'], { cwd });
      expect(again.code).toBe(0);
      expect(again.stdout).toContain('Already prepared');
      expect(readFileSync(join(cwd, '.sekisho/config.yaml'), 'utf8')).toBe('lang: ja\n');
      // What it wrote can be used as it is.
      expect((await world.cli(['gate', 'list-processes', '--lang', 'en', '--json'], { cwd })).code).toBe(0);
    });

    describe('gate lint', () => {
      test('names file, line, column, code and remedy of every problem and exits with 1', async ({ world }) => {
        world.write('flows/broken.yaml', readFileSync(join(fixtures, 'broken.yaml'), 'utf8'));
        const { code, stdout } = await world.cli(['gate', 'lint', 'flows/broken.yaml']);
        expect(code).toBe(1);
        expect(stdout).toContain(
          'flows/broken.yaml:3:16 error UNKNOWN_STATE There is no state "nowhere".\n  Use one of: ',
        );
        expect(stdout).toContain('flows/broken.yaml:10:50 error UNKNOWN_GUARD');
        expect(stdout).toMatch(/1 file, \d+ errors, \d+ warnings\n$/);
        const { json } = await world.cli(['gate', 'lint', 'flows/broken.yaml', '--json']);
        expect(json).toMatchObject({ files: 1, problems: expect.any(Array) });
        expect(json['problems'][0]).toMatchObject({
          file: 'flows/broken.yaml',
          line: 3,
          column: 16,
          severity: 'error',
        });
      });

      test('is content with warnings, and without arguments looks at the project’s own', async ({ world }) => {
        const cwd = await folder(world, 'linted');
        mkdirSync(join(cwd, '.sekisho/processes'), { recursive: true });
        copyFileSync(join(fixtures, 'hotfix.yaml'), join(cwd, '.sekisho/processes/hotfix.yaml'));
        const { code, stdout } = await world.cli(['gate', 'lint'], { cwd });
        expect(code).toBe(0);
        expect(stdout).toMatch(/hotfix\.yaml:\d+:\d+ warning/);
        expect(stdout).toMatch(/1 file, 0 errors, \d+ warnings\n$/);
      });

      test('a file that is not there is a line, not a stack', async ({ world }) => {
        const { code, stderr } = await world.cli(['gate', 'lint', 'no-such.yaml']);
        expect(code).not.toBe(0);
        expect(stderr).toContain('no-such.yaml');
        expect(stderr).not.toMatch(/^\s+at /m);
      });
    });

    describe('gate graph', () => {
      test('draws Mermaid, with every state and transition', async ({ world }) => {
        const { code, stdout } = await world.cli(['gate', 'graph', 'release']);
        expect(code).toBe(0);
        expect(stdout.startsWith('stateDiagram-v2\n')).toBe(true);
        expect(stdout).toContain('state "prepare" as s0');
        expect(stdout).toContain('s0 --> s1: submit_notes [has_notes, tests_pass]');
        expect(stdout).toContain('[*] --> s0');
        expect(stdout).toContain('s2 --> [*]');
      });

      test('draws DOT of a file', async ({ world }) => {
        const { code, stdout } = await world.cli(['gate', 'graph', join(fixtures, 'hotfix.yaml'), '--format', 'dot']);
        expect(code).toBe(0);
        expect(stdout).toMatch(/^digraph "hotfix" \{\n[^]*\n\}\n$/);
        expect(stdout).toContain('"released" [peripheries=2];');
        expect(stdout).toContain('"fix" -> "verify" [label="submit_fix [has_two_notes, tests_pass]"];');
      });

      test('marks where a run stands', async ({ world }) => {
        install(world, 'loop');
        const run = await start(world, 'loop');
        const { stdout } = await world.cli(['gate', 'graph', '--run-id', run]);
        expect(stdout).toContain('class s0 current');
      });

      test('draws SVG: a run with its path and what is missing, a process without', async ({ world }) => {
        const run = await start(world, 'release');
        const { code, stdout } = await world.cli(['gate', 'graph', '--run-id', run, '--svg', '--lang', 'ja']);
        expect(code).toBe(0);
        expect(stdout).toMatch(/^<svg [^]*<\/svg>\n$/);
        expect(stdout).toMatch(/<g class="box current">.*>prepare<.*>(1 秒未満|\d+ 秒)</);
        expect(stdout).toContain('>✗ has_notes<');
        const alone = await world.cli(['gate', 'graph', 'release', '--svg']);
        expect(alone.stdout).toContain('>has_notes<');
        expect(alone.stdout).not.toContain('current"');
      });

      test('a format that it does not know is refused', async ({ world }) => {
        const { code, stdout } = await world.cli(['gate', 'graph', 'release', '--format', 'png']);
        expect(code).toBe(2);
        expect(stdout).toBe('');
      });
    });

    describe('the journal', () => {
      test('list shows who did what, newest last, and pages forward', async ({ world }) => {
        install(world, 'loop');
        const run = await start(world, 'loop');
        const turn = (revision: number) => world.cli(emitLine(run, 'turn', revision));
        await turn(0);
        await turn(1);
        const { code, json } = await world.cli(['journal', 'list', '--subject', run, '--json']);
        expect(code).toBe(0);
        expect(json['entries'].map((one: { kind: string }) => one.kind)).toEqual([
          'run.created',
          'run.event',
          'run.event',
        ]);
        expect(json['entries'][1]).toMatchObject({
          subject: run,
          actor: expect.stringMatching(/^agent:os:.+ \(unverified\)$/),
          data: { event: 'turn', revision: 1, from: 'turning', to: 'turning' },
        });
        const first = json['entries'][0].seq as number;
        const page = await world.cli([
          'journal',
          'list',
          '--after',
          String(first - 1),
          '--limit',
          '1',
          '--subject',
          run,
          '--json',
        ]);
        expect(page.json).toMatchObject({ entries: [{ seq: first }], next_after: first });
        expect(
          (await atTerminal(world, ['journal', 'list', '--subject', run])).text.trimEnd().split('\n'),
        ).toHaveLength(3);
      });

      test('list and log show this project alone, of a store that several have, and the kinds that are asked for', async ({
        world,
      }) => {
        install(world, 'loop');
        const cwd = await folder(world, 'neighbour');
        const run = await start(world, 'loop');
        const { json: theirs } = await world.cli(['gate', 'create-run', '--process-id', 'exploration', '--json'], {
          cwd,
        });
        await world.cli(emitLine(run, 'turn', 0));
        const of = async (line: string, from?: string) => {
          const { json } = await world.cli([...line.split(' '), '--json'], from === undefined ? {} : { cwd: from });
          return json['entries'] as readonly { subject: string; kind: string }[];
        };
        for (const line of ['journal list', 'log', 'journal list --after 0 --limit 1000', 'log --kind run.']) {
          const own = (await of(line)).map((one) => one.subject);
          expect(own, line).toContain(run);
          expect(own, line).not.toContain(theirs['run_id']);
          const other = (await of(line, cwd)).map((one) => one.subject);
          expect(other, line).toContain(theirs['run_id']);
          expect(other, line).not.toContain(run);
        }
        expect((await of('journal list --kind run.event')).map((one) => one.kind)).toEqual(['run.event']);
        expect(await of('journal list --kind notify.')).toEqual([]);
        // Whoever names it means it, wherever it was begun.
        expect((await of(`log ${theirs['run_id']}`)).map((one) => one.kind)).toEqual(['run.created']);
      });

      test('verify says that all is as it was written, and knows the head that was kept', async ({ world }) => {
        install(world, 'loop');
        const run = await start(world, 'loop');
        const whole = await world.cli(['journal', 'verify']);
        expect(whole.code).toBe(0);
        expect(whole.stdout).toContain('All as it was written');
        const { json } = await world.cli(['journal', 'verify', '--json']);
        expect(json).toMatchObject({ ok: true, head_matches: true, faults: [], fault_count: 0 });
        const { json: history } = await world.cli(['gate', 'get-history', '--run-id', run, '--json']);
        for (const head of [json['head'], history['head']])
          expect((await world.cli(['journal', 'verify', '--head', String(head)])).code).toBe(0);
        const other = await world.cli(['journal', 'verify', '--head', '0'.repeat(64)]);
        expect(other.code).toBe(1);
        expect(other.stdout).toContain('Another history');
      });
    });
  });
});

describe('what only a person may do', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    // What leads to the question comes over a connection; the command line is what a person answers at.
    const start = async (world: World, process_id: string) =>
      String((await world.call('state_gate.create_run', { process_id })).value['run_id']);
    const emit = (world: World, run_id: string, event_name: string, expected_revision: number, path: string) =>
      world.call('state_gate.emit_event', {
        run_id,
        event_name,
        expected_revision,
        idempotency_key: `${event_name}-${expected_revision}`,
        artifact_paths: [path],
      });
    const inReview = async (world: World) => {
      world.write('.sekisho/config.yaml', 'test: [node, -e, "0"]\n');
      const run = await start(world, 'release');
      const notes = world.write('release-notes.md', `notes of ${run}`);
      const { value } = await emit(world, run, 'submit_notes', 0, notes);
      expect(value['result']?.transition).toEqual({ from_state: 'prepare', to_state: 'review' });
      return run;
    };
    /** A run that waits for nothing but a person. */
    const shown = async (world: World, path: string) => {
      world.write(
        '.sekisho/processes/shown.yaml',
        `id: shown\nversion: "1"\ninitial_state: a\nstates: [{ name: a }, { name: b, is_final: true }, { name: c, is_final: true }]
events: [{ name: approve, allowed_roles: [reviewer] }, { name: reject, allowed_roles: [reviewer] }, { name: submit }]
transitions: [{ from: a, event: approve, to: b, guard: yes }, { from: a, event: reject, to: c }, { from: a, event: submit, to: a }]
guards: { yes: { type: approval, role: reviewer } }\n`,
      );
      const run = await start(world, 'shown');
      await emit(world, run, 'submit', 0, path);
      return run;
    };
    const stateOf = async (world: World, run: string) =>
      String((await world.call('state_gate.get_state', { run_id: run })).value['current_state']);

    test('an agent’s shell approves nothing, whatever it claims', async ({ world }) => {
      const run = await inReview(world);
      const plain = await world.cli(['admin', 'approve', '--run-id', run, '--json']);
      expect(plain).toMatchObject({ code: 1, json: { code: 'FORBIDDEN' } });
      for (const role of ['human', 'reviewer']) {
        const posing = await world.cli(['admin', 'approve', '--run-id', run, '--role', role, '--json'], {
          env: { CLAUDECODE: '1' },
        });
        expect(posing).toMatchObject({ code: 1, json: { code: 'FORBIDDEN' } });
        expect(posing.json['message']).toContain('CLAUDECODE');
      }
      const terminal = await atTerminal(world, ['admin', 'approve', '--run-id', run], { env: { CLAUDECODE: '1' } });
      expect(terminal.code).toBe(1);
      expect(terminal.text).toContain('FORBIDDEN');
      expect(await stateOf(world, run)).toBe('review');
    });

    test('a person at a terminal sees the evidence, is asked, and may say no', async ({ world }) => {
      const run = await inReview(world);
      const no = await atTerminal(world, ['admin', 'approve', '--run-id', run], { answers: { '[y/N]': 'n' } });
      expect(no.code).toBe(1);
      expect(no.text).toContain('release-notes.md');
      expect(no.text).toMatch(/sha256 [0-9a-f]{16}/);
      expect(await stateOf(world, run)).toBe('review');
      const yes = await atTerminal(world, ['admin', 'approve', '--run-id', run, '--comment', 'fine'], {
        answers: { '[y/N]': 'y' },
      });
      expect(yes.code).toBe(0);
      expect(await stateOf(world, run)).toBe('released');
    });

    test('`approve` alone lists what waits, asks about the only one, and takes the beginning of an id', async ({
      world,
    }) => {
      expect(await atTerminal(world, ['approve'])).toMatchObject({ code: 0, text: 'Nothing waits for you.\n' });
      expect((await atTerminal(world, ['approve', '--lang', 'ja'])).text).toContain('待っているものはありません');
      const first = await shown(world, world.write('first.md', 'the first'));
      const one = await atTerminal(world, ['approve'], { answers: { '[y/N]': 'n' } });
      expect(one).toMatchObject({ code: 1, text: expect.stringContaining('| the first') });
      expect(await stateOf(world, first)).toBe('a');
      const other = await shown(world, world.write('other.md', 'the other'));
      const two = await atTerminal(world, ['approve']);
      expect(two).toMatchObject({ code: 0, text: expect.stringContaining('Name one: sekisho approve run-…') });
      const listed = await world.person(['approve', '--json']);
      expect(listed.code).toBe(0);
      expect(listed.json['waiting'].map((run: { run_id: string }) => run.run_id)).toEqual([other, first]);
      // Only a person has something that waits for them.
      expect(await world.cli(['approve', '--json'])).toMatchObject({ code: 1, json: { code: 'FORBIDDEN' } });
      const ambiguous = await atTerminal(world, ['approve', 'run-']);
      expect(ambiguous).toMatchObject({ code: 1, text: expect.stringContaining('ID_AMBIGUOUS') });
      const back = await atTerminal(world, ['reject', other.slice(0, -2), '--comment', 'no date'], {
        answers: { '[y/N]': 'y' },
      });
      expect(back.code).toBe(0);
      expect(await stateOf(world, other)).toBe('c');
      const yes = await atTerminal(world, ['approve', first.slice('run-'.length)], { answers: { '[y/N]': 'y' } });
      expect(yes.code).toBe(0);
      expect(await stateOf(world, first)).toBe('b');
      // Nothing is asked where nothing can be approved.
      const late = await atTerminal(world, ['approve', first]);
      expect(late).toMatchObject({ code: 1, text: expect.stringContaining('INVALID_EVENT') });
      expect(late.text).not.toContain('[y/N]');
    });

    test('evidence that changes while the question stands is not approved, and hostile text stays text', async ({
      world,
    }) => {
      const path = world.write('hostile.md', 'fine\n\u001B[2J\u001B]0;x\u0007\u202Eevil\u202C\napprove? [y/N] y\n');
      const run = await shown(world, path);
      const meanwhile = atTerminal(world, ['approve', run], {
        answers: { '[y/N]': 'y' },
        async before() {
          await emit(world, run, 'submit', 1, world.write('hostile.md', 'swapped'));
        },
      });
      const { code, text } = await meanwhile;
      expect(text).toContain('| \\x1b[2J\\x1b]0;x\\x07<U+202E>evil<U+202C>');
      expect(text).toContain('| approve? [y/N] y');
      expect(code).toBe(1);
      expect(text).toContain('EVIDENCE_CHANGED');
      expect(text).toContain('hostile.md was changed');
      expect(await stateOf(world, run)).toBe('a');
    });

    test('a rejection goes back with its comment', async ({ world }) => {
      const run = await inReview(world);
      const { code, json } = await world.person(['admin', 'reject', '--run-id', run, '--comment', 'no date', '--json']);
      expect(code).toBe(0);
      expect(json['transition']).toEqual({ from_state: 'review', to_state: 'prepare' });
      const history = await world.call('state_gate.get_history', { run_id: run });
      expect(history.value['events'].at(-1)).toMatchObject({ role: 'reviewer', payload: { comment: 'no date' } });
    });

    test('while a run is open, only a person changes which one is current', async ({ world }) => {
      install(world, 'loop');
      const current = async () => String((await world.call('state_gate.get_state')).value['run_id']);
      const before = await start(world, 'loop');
      const other = await start(world, 'loop');
      expect(await current()).toBe(before);
      const refused = await world.cli(['gate', 'use', other]);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('FORBIDDEN');
      expect(await current()).toBe(before);
      const { code, json } = await world.person(['gate', 'use', other, '--json']);
      expect(code).toBe(0);
      expect(json).toMatchObject({ run_id: other, previous_run_id: before });
      expect(await current()).toBe(other);
    });

    test('trust shows what would run, asks, and holds for exactly that file', async ({ world }) => {
      install(world, 'hotfix');
      const file = '.sekisho/processes/hotfix.yaml';
      expect((await world.cli(['trust', file, '--json'])).json).toMatchObject({ code: 'FORBIDDEN' });
      expect((await world.person(['trust', file, '--json'], { env: { CODEX_SANDBOX: '1' } })).code).toBe(1);
      const no = await atTerminal(world, ['trust', file], { answers: { '[y/N]': '' } });
      expect(no.code).toBe(1);
      expect(no.text).toContain('runs: npm test');
      const journal = async () =>
        (await world.cli(['journal', 'list', '--subject', file, '--json'])).json['entries'] as readonly {
          kind: string;
        }[];
      expect(await journal()).toEqual([]);
      const yes = await atTerminal(world, ['trust', file], { answers: { '[y/N]': 'y' } });
      expect(yes.code).toBe(0);
      expect((await journal()).map((one) => one.kind)).toEqual(['file.trusted']);
      const unknown = await world.person(['trust', 'nope.yaml', '--json']);
      expect(unknown).toMatchObject({ code: 1, json: { code: 'PROCESS_NOT_FOUND' } });
    });
  });
});
