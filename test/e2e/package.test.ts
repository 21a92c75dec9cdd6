import { execFile, execFileSync, spawnSync } from 'node:child_process';
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
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { everyClient } from '../../src/setup/install.ts';
import { setupQuestion } from '../../src/setup/setup-question.ts';
import { personalFiles, readTree, teamFiles, writeFiles } from '../setup/client-files.ts';
import { buildImage, serviceVariables } from '../setup/image.ts';
import { personToken } from '../setup/person.ts';
import { seenAt } from '../setup/screen.ts';
import { flawsOf } from '../surface/flaws.ts';
import { atTerminal } from './terminal.ts';
import { makeWorld } from './world.ts';

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

/** A program of somebody who installed the package: it compiles only if every type is right, and prints what it saw. */
const program = `import { readFileSync } from 'node:fs';
import { type Finding, type Step, type WalkResult, lint, walk } from 'sekisho/process';
import { type Client, type JournalEvent, SekishoError, createClient } from 'sekisho/client';

const [url = '', token = '', project = ''] = process.argv.slice(2);
const text = readFileSync('sign.yaml', 'utf8');
const findings: readonly Finding[] = lint(text, { file: 'sign.yaml' });
const steps: readonly Step[] = [{ event: 'approve' }, { event: 'approve', person: 'ann' }];
const walked: WalkResult = await walk(text, steps);

const client: Client = createClient({ url, token, project });
const { roots } = await client.call('list_roots', {});
const stop = new AbortController();
const seen: JournalEvent[] = [];
const followed = (async () => {
  for await (const event of client.follow({ signal: stop.signal })) {
    seen.push(event);
    if (event.type === 'ready') await client.call('state_gate.create_run', { process_id: 'bug-fix' });
    if (event.type === 'entry' && event.kind === 'run.created') stop.abort();
  }
})();
await followed;
const { runs } = await client.call('state_gate.list_runs', {});
const state: string | undefined = runs[0]?.current_state;
const run = runs[0]?.run_id ?? '';
const question = await client.ask('abort_run', { run_id: run, reason: 'over' });
const again = new AbortController();
for await (const event of client.follow({ after: seen[0]?.id ?? '', signal: again.signal }))
  if (event.type === 'entry') {
    seen.push(event);
    again.abort();
  }
const failure = async (call: Promise<unknown>) =>
  call.then(
    () => 'nothing',
    (error: unknown) => (error instanceof SekishoError ? [error.code, error.status, error.message !== ''] : String(error)),
  );
const failures = [
  await failure(client.call('describe_run', { run_id: 'run-none' })),
  // @ts-expect-error an input that the operation does not have
  await failure(client.call('state_gate.create_run', { process: 'bug-fix' })),
  // @ts-expect-error an operation that does not exist
  await failure(client.call('no_such_operation', {})),
  await failure(createClient({ url, token: 'wrong', project }).call('list_tasks', {})),
  await failure(createClient({ url: 'http://127.0.0.1:9', token, project }).call('list_tasks', {})),
];
// @ts-expect-error a field that no run has
runs[0]?.nonsense;
console.log(
  JSON.stringify({
    findings: findings.length,
    walked: walked.steps.map((one) => one.to),
    roots: roots.map((one) => one.path),
    kinds: seen.map((one) => (one.type === 'entry' ? one.kind : one.type)),
    state,
    asked: question.input.run_id === run,
    failures,
  }),
);
`;

test('a program that installed the package lints and walks a process and calls the daemon, with types of its own', async () => {
  const folder = scratch();
  const world = await makeWorld('stdio', 'sqlite');
  onTestFinished(() => world.close());
  const { url, token } = await world.daemon();
  symlinkSync(join(packed, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  writeFileSync(join(folder, 'sign.yaml'), definition);
  writeFileSync(join(folder, 'program.ts'), program);
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  const flags = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--module', 'nodenext'];
  const compile = (file: string) =>
    spawnSync(join(root, 'node_modules/.bin/tsc'), [...flags, ...types, '--target', 'es2023', file], {
      cwd: folder,
      encoding: 'utf8',
    });
  expect(compile('program.ts')).toMatchObject({ stdout: '', status: 0 });
  const args = ['program.js', url, token('human'), world.project];
  const run = await new Promise<{ stdout: string; stderr: string }>((done) =>
    execFile(process.execPath, args, { cwd: folder }, (_error, stdout, stderr) => done({ stdout, stderr })),
  );
  expect(run.stderr).toBe('');
  expect(JSON.parse(run.stdout)).toEqual({
    findings: 0,
    walked: ['wait', 'done'],
    roots: [world.project],
    kinds: expect.arrayContaining(['ready', 'run.created']),
    state: 'reproduce',
    asked: true,
    failures: [
      ['RUN_NOT_FOUND', 404, true],
      ['INVALID_PAYLOAD', 400, true],
      ['UNKNOWN_OPERATION', 404, true],
      ['SIGN_IN_NEEDED', 401, true],
      ['UNREACHABLE', 0, true],
    ],
  });
  // The examples of the pages, as they stand there.
  mkdirSync(join(folder, '.sekisho/processes'), { recursive: true });
  for (const [page, kind] of [
    ['process-api', 'js'],
    ['process-api', 'yaml'],
    ['client-api', 'ts'],
  ] as const) {
    const text = readFileSync(join(root, `docs/${page}.md`), 'utf8');
    const [, code = '', file = ''] =
      new RegExp(`^\`\`\`${kind}\\n((?://|#) (\\S+)\\n.*?)^\`\`\``, 'ms').exec(text) ?? [];
    writeFileSync(join(folder, file), code);
  }
  const tested = spawnSync(process.execPath, ['--test', 'hotfix.test.js'], { cwd: folder, encoding: 'utf8' });
  expect(tested.stdout).toContain('pass 2\n');
  expect(compile('start-run.ts')).toMatchObject({ status: 0, stdout: '' });
  // Everything else inside of the package is internal.
  const inner = spawnSync(
    process.execPath,
    ['-e', "import('sekisho/dist/cli.cjs').catch((e) => console.log(e.code))"],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(inner.stdout).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
});
test.each(['the installed package', 'a clone'])(
  'the image of the proxy is built from %s, and starts a server that answers over stdio',
  async (kind) => {
    const context = kind === 'a clone' ? root : join(packed, 'node_modules/sekisho');
    const deployment = join(context, 'deploy/proxy');
    const image = buildImage(readFileSync(join(deployment, 'Dockerfile'), 'utf8'), context, scratch());
    const [command = '', ...args] = image.command;
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command,
        args: [...args, '--upstream=http://127.0.0.1:9/mcp'],
        cwd: image.cwd,
        env: { ...image.env, ...serviceVariables(join(deployment, 'docker-compose.yml'), 'proxy') },
      }),
    );
    onTestFinished(() => client.close());
    expect(client.getServerVersion()?.name).toBe('sekisho');
    const names = (await client.listTools()).tools.map((tool) => tool.name);
    expect(names).toEqual(expect.arrayContaining(['activate', 'execute_code', 'high_level_overview']));
    expect(names).not.toContain('state_gate.get_state');
  },
);

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

test('init for one client after the other, then for all as a team shares it, then uninstall: project and home are as before, byte for byte', () => {
  const { home, project, env } = newcomer();
  writeFiles(project, personalFiles, 0o600);
  writeFiles(project, teamFiles, 0o664);
  const everything = () => readTree(home, [join(home, '.local')]);
  const before = everything();
  const sekisho = (...args: string[]) => {
    const { status, stderr } = spawnSync(join(packed, 'node_modules/.bin/sekisho'), [...args, '--json'], {
      cwd: project,
      env: { ...env, SEKISHO_PERSON_TOKEN: personToken, SEKISHO_TOKEN: personToken },
      encoding: 'utf8',
    });
    expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
  };
  const ids = everyClient.map((one) => one.id);
  for (const client of ids) {
    const without = everything();
    sekisho('init', '--client', client, '--trust-folder');
    expect(everything(), client).not.toEqual(without);
  }
  sekisho('init', '--shared', ...ids.flatMap((client) => ['--client', client]));
  const prepared = everything();
  const untouched = Object.keys({ ...personalFiles, ...teamFiles })
    .map((path) => relative(home, join(project, path)))
    .filter((path) => prepared[path] === before[path]);
  // Nothing of ours belongs there.
  expect(untouched.map((path) => basename(path))).toEqual([
    'config.yaml',
    'settings.local.json',
    'theirs.json',
    'theirs.js',
  ]);
  sekisho('uninstall');
  expect(everything()).toEqual(before);
});

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
      [lang === 'en' ? 'press Enter to continue' : 'Enter で進みます']: '\u0003',
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
