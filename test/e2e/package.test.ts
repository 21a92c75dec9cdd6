import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { setupQuestion } from '../../src/hook/setup-question.ts';
import { seenAt } from '../setup/screen.ts';
import { flawsOf } from '../surface/flaws.ts';
import { atTerminal } from './terminal.ts';

const root = resolve(import.meta.dirname, '../..');
const elsewhere = new Set(['node_modules', 'dist', '.git', 'test', 'bench']);

/** Packed in a copy: the tests beside this one use the build that is here. */
function pack(folder: string): string {
  const copy = join(folder, 'clone');
  mkdirSync(copy);
  for (const name of readdirSync(root).filter((one) => !elsewhere.has(one)))
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  // What an earlier build left behind is not to be packed.
  mkdirSync(join(copy, 'dist'));
  cpSync(join(root, 'package.json'), join(copy, 'dist', 'cli.00000000.chunk-STALE.cjs'));
  const told = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: copy, encoding: 'utf8' });
  return join(folder, /sekisho-[\d.]+\.tgz/.exec(told)?.[0] ?? '');
}

/** Links of a page to files beside it. */
function brokenLinks(folder: string): readonly string[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.md') && !name.includes('node_modules'),
  );
  return pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map((match) => match[1] ?? '')
      .filter((link) => !existsSync(join(folder, dirname(page), link)))
      .map((link) => `${page}: ${link}`),
  );
}

vi.setConfig({ testTimeout: 300_000 });

let packed = '';
let tarball = '';

beforeAll(() => {
  packed = mkdtempSync(join(tmpdir(), 'sekisho-package-'));
  tarball = pack(packed);
  // As on a machine where it is there for everybody.
  const flags = ['--offline', '--no-audit', '--no-fund', '--prefix', packed];
  execFileSync('npm', ['install', ...flags, tarball], { cwd: packed, env: { ...process.env, HOME: packed } });
}, 300_000);

afterAll(() => rmSync(packed, { recursive: true, force: true }));

/** Short, and always of the same length: what is wrapped at a terminal must not depend on it. */
function scratch(): string {
  const folder = realpathSync(mkdtempSync('/tmp/sk'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the package works from an empty folder by npx and npm, without scripts, warnings or a network: version, init, a hook; one build, links that resolve', () => {
  const folder = scratch();
  const home = join(folder, 'home');
  const project = join(folder, 'project');
  mkdirSync(home);
  mkdirSync(project);
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    XDG_DATA_HOME: join(home, 'data'),
    LANG: 'C',
    npm_config_update_notifier: 'false',
  };
  // With no cache and no network: the package is all that is needed, and npm has nothing to warn of.
  const npx = spawnSync('npx', ['--yes', '--offline', `--package=${tarball}`, 'sekisho', '--version'], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  expect(npx).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  const npm = spawnSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  expect(npm).toMatchObject({ status: 0, stdout: expect.stringContaining('added 1 package'), stderr: '' });
  const installed = join(home, 'node_modules', 'sekisho');
  const { scripts, dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    scripts: object;
    dependencies?: object;
  };
  expect(dependencies).toBeUndefined();
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(name);
  const builds = readdirSync(join(installed, 'dist')).flatMap((name) => /^cli\.(\w{8})\./.exec(name)?.[1] ?? []);
  expect(new Set(builds).size).toBe(1);
  expect(builds).not.toContain('00000000');
  expect(existsSync(join(installed, 'dist', '.cache'))).toBe(false);
  expect(brokenLinks(installed)).toEqual([]);

  const sekisho = (args: readonly string[], input = '') =>
    spawnSync(join(home, 'node_modules', '.bin', 'sekisho'), args, { cwd: project, env, input, encoding: 'utf8' });
  expect(sekisho(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(sekisho(['init', '--json'])).toMatchObject({ status: 0, stderr: '' });
  expect(sekisho(['start', 'explore-plan-implement-verify', '--json']).status).toBe(0);
  const question = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: 'a.ts' },
    cwd: project,
  };
  const answer = sekisho(['hook', 'pre-tool-use', '--client', 'claude'], JSON.stringify(question));
  expect(answer.stdout).toContain('"permissionDecision":"deny"');
}, 300_000);

const definition = `id: sign
version: "1"
initial_state: wait
states: [{ name: wait }, { name: done, is_final: true }]
events: [{ name: approve, allowed_roles: [reviewer] }]
transitions: [{ from: wait, event: approve, to: done, guard: signed }]
guards: { signed: { type: approval, role: reviewer, event: approve } }
roles: [{ name: reviewer, allowed_events: [approve], can_approve: true }]
`;

/** A fresh machine: Node, git, and a client that is installed. */
function newcomer() {
  const home = scratch();
  const project = join(home, 'app');
  const programs = join(home, 'bin');
  for (const folder of [project, programs]) mkdirSync(folder);
  writeFileSync(join(programs, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(project, 'package.json'), '{ "name": "app", "scripts": { "test": "node --test" } }\n');
  writeFileSync(join(project, 'sign.yaml'), definition);
  const env = {
    PATH: `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    NO_COLOR: '1',
    npm_config_update_notifier: 'false',
  };
  execFileSync('git', ['init', '-q'], { cwd: project, env });
  return { home, project, env };
}

/** What differs from one time to the next, in as many columns. */
function steady(screen: string, home: string): string {
  return screen
    .replaceAll(home, '/tmp/skXXXXXX')
    .replaceAll(/\brun-[0-9a-f]{8}-[0-9a-f]{4}/g, 'run-00000000-0000')
    .replaceAll(/sekisho-demo-\w+/g, 'sekisho-demo-XXXXXX')
    .replaceAll(/ *(?:now|\d+ (?:s|min) ago|今|\d+[秒分]前)$/gm, '  just now')
    .replaceAll(/^.*(?:just now|since)$/gm, (line) => line.replaceAll(/(?<=\S) {2,}/g, '  '));
}

test.each([
  ['en', 80],
  ['en', 40],
  ['ja', 80],
  ['ja', 40],
] as const)('the first minutes at a terminal, in %s at %i columns, in six keystrokes', async (lang, columns) => {
  const { home, project, env } = newcomer();
  const first = columns === 80 ? `npx --yes --offline --package='${tarball}' sekisho` : 'sekisho';
  const script = [
    `stty cols ${columns} rows 24`,
    `echo '=== init'; ${first}`,
    'mv sign.yaml .sekisho/processes/',
    `sekisho start bug-fix 'Greet people in Japanese' >/dev/null`,
    `echo '=== status'; sekisho status`,
    'for goal in One Two; do sekisho start sign $goal >/dev/null; done',
    `echo '=== approve'; sekisho approve`,
    `echo '=== demo'; sekisho demo`,
  ].join('\n');
  writeFileSync(join(home, 'day.sh'), `${script}\n`);
  const beginning = (text: string) => text.slice(0, 8);
  const enters = [
    setupQuestion.clients({ others: [] }),
    setupQuestion.toolsets(),
    setupQuestion.process(),
    setupQuestion.test(),
    setupQuestion.write(),
  ];
  const { text } = await atTerminal({ project, env }, [], {
    yes: true,
    answers: {
      '[Y/n]': '',
      ...Object.fromEntries(enters.map((one) => [beginning(one(lang)), ''])),
      [lang === 'en' ? 'Enter goes on' : 'Enter で進みます']: '\u0003',
    },
    env: {
      ...env,
      LANG: lang === 'ja' ? 'ja_JP.UTF-8' : 'C.UTF-8',
      PATH: `${join(packed, 'node_modules/.bin')}:${env.PATH}`,
    },
    shell: () => `sh '${join(home, 'day.sh')}'`,
  });
  const screen = await seenAt(columns, text);
  expect(flawsOf(screen, columns)).toEqual([]);
  await expect(steady(screen, home)).toMatchFileSnapshot(`../screens/${lang}-${columns}.txt`);
});
