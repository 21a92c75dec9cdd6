import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

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

test('the package works from an empty folder by npx and npm, without scripts, warnings or a network: version, init, a hook; one build, links that resolve', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
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
  const tarball = pack(folder);
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
