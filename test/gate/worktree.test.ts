import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Manifest,
  compareManifests,
  manifestDigest,
  packManifest,
  unpackManifest,
} from '../../src/gate/worktree/manifest.ts';
import { scanTree } from '../../src/gate/worktree/scan.ts';
import { listChanges, recordTree } from '../../src/gate/worktree/tree.ts';
import { row } from '../setup/security.ts';
import fc from '../setup/property.ts';

const runs = Number(process.env['SEKISHO_PROPERTY_RUNS'] ?? 25);
/** The long form takes its time. */
const patience = 300_000 + runs * 5000;
const folders: string[] = [];
const signal = new AbortController().signal;
/** Nothing of the machine's own settings: a global ignore file would be part of the answer. */
const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };

function fresh(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-tree-')));
  folders.push(folder);
  return folder;
}

function clear(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
afterEach(clear);

function git(cwd: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@example.org', '-c', 'protocol.file.allow=always'];
  return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function look(root: string, since?: Manifest): Promise<Manifest> {
  return scanTree({ root, leaveOut: [], blank: {}, keys: {}, env, since });
}

async function changed(root: string, since: Manifest): Promise<readonly string[]> {
  return compareManifests(since, await look(root, since)).map((one) => `${one.how} ${one.path}`);
}

describe('a work tree against git itself', () => {
  const names = ['a.ts', 'b.ts', 'dir/c.ts', 'dir/deep/d.ts', 'e.log', 'dir/f.log', 'out/g.ts', 'keep.log', 'ü.md'];
  const step = fc.oneof(
    fc.record({ kind: fc.constant('write'), name: fc.constantFrom(...names), text: fc.constantFrom('1', '2', '3') }),
    fc.record({ kind: fc.constant('remove'), name: fc.constantFrom(...names), text: fc.constant('') }),
    fc.record({ kind: fc.constant('rename'), name: fc.constantFrom(...names), text: fc.constantFrom(...names) }),
    fc.record({ kind: fc.constant('chmod'), name: fc.constantFrom(...names), text: fc.constantFrom('x', '-') }),
    fc.record({ kind: fc.constant('link'), name: fc.constantFrom('a.ts', 'l'), text: fc.constantFrom('b.ts', 'dir') }),
    fc.record({ kind: fc.constant('module'), name: fc.constantFrom('m.ts', 'n.log'), text: fc.constantFrom('1', '2') }),
    fc.record({ kind: fc.constant('add'), name: fc.constantFrom(...names), text: fc.constant('') }),
    fc.record({ kind: fc.constant('touch'), name: fc.constantFrom(...names), text: fc.constant('') }),
  );

  function apply(root: string, { kind, name, text }: { kind: string; name: string; text: string }): void {
    const path = join(root, name);
    const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    // Neither is about the link: it may lead to a folder.
    if (link && (kind === 'write' || kind === 'chmod')) rmSync(path);
    if (kind === 'write') write(root, name, text);
    else if (kind === 'module') write(root, `sub/${name}`, text);
    else if (kind === 'link') {
      rmSync(path, { force: true });
      symlinkSync(text, path);
    } else if (!existsSync(path)) return;
    else if (kind === 'remove') rmSync(path);
    else if (kind === 'chmod') chmodSync(path, text === 'x' ? 0o755 : 0o644);
    else if (kind === 'touch') utimesSync(path, new Date(), new Date());
    else if (kind === 'add') git(root, 'add', '-f', name);
    else {
      mkdirSync(dirname(join(root, text)), { recursive: true });
      renameSync(path, join(root, text));
    }
  }

  /** Everything that git would put into a commit now, forced additions and the submodule's files included, by content. */
  function snapshot(root: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    for (const [folder, prefix] of [
      [root, ''],
      [join(root, 'sub'), 'sub/'],
    ] as const) {
      git(folder, 'add', '-A');
      for (const line of git(folder, 'ls-files', '-s', '-z').split('\0').filter(Boolean)) {
        const [facts = '', name = ''] = line.split('\t');
        const [mode = '', blob = ''] = facts.split(' ');
        if (mode !== '160000') found.set(prefix + name, `${mode} ${blob}`);
      }
    }
    return found;
  }

  function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
    const all = [...new Set([...before.keys(), ...after.keys()])].filter(
      (name) => before.get(name) !== after.get(name),
    );
    return all
      .map((name) => ({ name, how: !before.has(name) ? 'added' : !after.has(name) ? 'removed' : 'changed' }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, how }) => `${how} ${name}`);
  }

  test(
    `${row('evidence.hidden')} edits, renames, deletions, links, modes, ignored files and submodules are what git sees`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.array(step, { maxLength: 8 }), async (first, then) => {
          const root = fresh();
          const other = fresh();
          git(other, 'init', '-q');
          write(other, 'm.ts', 'module');
          write(other, '.gitignore', '*.log\n');
          git(other, 'add', '-A');
          git(other, 'commit', '-qm', 'x');
          git(root, 'init', '-q');
          git(root, 'submodule', '--quiet', 'add', other, 'sub');
          write(root, '.gitignore', '*.log\n!keep.log\n/out/\n');
          write(root, 'dir/.gitignore', '# here too\ndeep/\n!f.log\n');
          for (const one of first) apply(root, one);
          const before = await look(root);
          const theirs = snapshot(root);
          for (const one of then) apply(root, one);
          expect(await changed(root, before)).toEqual(difference(theirs, snapshot(root)));
          clear();
        }),
        { numRuns: runs },
      );
    },
    patience,
  );

  test(
    'without git, the same rules are kept',
    async () => {
      const lines = [
        '*.log',
        '!keep.log',
        '/out',
        'deep/',
        'dir/*.ts',
        '**/x',
        'a/**',
        'a/**/b',
        '[ab].ts',
        '\\#odd',
        '?.md',
      ];
      const files = [
        'a.ts',
        'c.ts',
        'keep.log',
        'q.log',
        'out/x',
        'dir/c.ts',
        'dir/deep/e',
        'a/b/c',
        'x/y',
        '#odd',
        'z.md',
      ];
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(fc.constantFrom(...lines)), fc.subarray(lines), async (top, inner) => {
          const [bare, repository] = [fresh(), fresh()];
          git(repository, 'init', '-q');
          for (const root of [bare, repository]) {
            for (const file of files) for (const place of ['', 'in/']) write(root, place + file, 'x');
            write(root, '.gitignore', top.join('\n'));
            write(root, 'in/.gitignore', inner.join('\n'));
          }
          const [plain, tracked] = [await look(bare), await look(repository)];
          expect([...plain.files.keys()].toSorted()).toEqual([...tracked.files.keys()].toSorted());
          const listed = git(repository, 'ls-files', '-o', '-z', '--exclude-standard').split('\0').filter(Boolean);
          expect([...tracked.files.keys()].toSorted()).toEqual(listed.toSorted());
          clear();
        }),
        { numRuns: runs },
      );
    },
    patience,
  );
});

describe('a work tree', () => {
  test(`${row('evidence.hidden')} a rule that was added later hides nothing, and what is tracked always counts`, async () => {
    const root = fresh();
    git(root, 'init', '-q');
    write(root, '.gitignore', 'ignored/\n');
    write(root, 'ignored/tracked.ts', '1');
    git(root, 'add', '-f', '.');
    const before = await look(root);
    write(root, '.gitignore', '*\n');
    write(root, '.git/info/exclude', '*\n');
    write(root, 'hidden.ts', 'x');
    write(root, 'ignored/tracked.ts', '2');
    write(root, 'ignored/new.ts', 'x');
    git(root, 'rm', '-qf', '--cached', 'ignored/tracked.ts');
    expect(await changed(root, before)).toEqual([
      'changed .gitignore',
      'added hidden.ts',
      'changed ignored/tracked.ts',
    ]);
  });

  test(`${row('evidence.hidden')} a repository that was put round a change hides nothing`, async () => {
    const root = fresh();
    git(root, 'init', '-q');
    write(root, 'old/a.ts', '1');
    git(root, 'add', '.');
    const before = await look(root);
    write(root, 'new/b.ts', 'x');
    write(root, 'new/.gitignore', '*');
    git(join(root, 'new'), 'init', '-q');
    write(root, 'old/c.ts', 'x');
    git(join(root, 'old'), 'init', '-q');
    git(root, 'config', 'core.worktree', '/tmp');
    git(root, 'config', 'core.fsmonitor', `touch ${join(root, 'ran')}`);
    expect(await changed(root, before)).toEqual(['added new/.gitignore', 'added new/b.ts', 'added old/c.ts']);
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  test(`${row('evidence.hidden')} a file with its old size and time but other content has changed`, async () => {
    const root = fresh();
    write(root, 'a.ts', 'one');
    const past = new Date(Date.now() - 60_000);
    utimesSync(join(root, 'a.ts'), past, past);
    const before = await look(root);
    const { atime, mtime } = statSync(join(root, 'a.ts'));
    write(root, 'a.ts', 'two');
    utimesSync(join(root, 'a.ts'), atime, mtime);
    expect(await changed(root, before)).toEqual(['changed a.ts']);
  });

  test('a file that a sandbox puts in place counts only once it says something', async () => {
    const root = fresh();
    const seen = async (text: string | undefined) => {
      if (text !== undefined) write(root, 'opencode.json', text);
      const blank = { 'opencode.json': '{}\n' };
      return [...(await scanTree({ root, leaveOut: [], blank, keys: {}, env, since: undefined })).files.keys()];
    };
    expect(await seen(undefined)).toEqual([]);
    expect(await seen('{}\n')).toEqual([]);
    expect(await seen('{ "plugin": ["x"] }\n')).toEqual(['opencode.json']);
  });

  test('of a client’s settings the keys that it sets by itself do not count, nor how it lays them out; the rest does', async () => {
    const root = fresh();
    const keys = { 'client.json': ['$version'] };
    const at = (since?: Manifest) => scanTree({ root, leaveOut: [], blank: {}, keys, env, since });
    write(root, 'client.json', '{ "hooks": { "b": 1, "a": [2] } }');
    const before = await at();
    const changes = async (text: string) => {
      write(root, 'client.json', text);
      return compareManifests(before, await at(before)).map((one) => `${one.how} ${one.path}`);
    };
    expect(await changes('{\n  "$version": 4,\n  "hooks": { "a": [2], "b": 1 }\n}\n')).toEqual([]);
    for (const text of ['{ "$version": 4 }', '{ "hooks": { "b": 1, "a": [3] } }', '{ "hooks": { "b": 1', '', '[]'])
      expect((await changes(text)).length, text).toBe(1);
    const empty = fresh();
    const none = await scanTree({ root: empty, leaveOut: [], blank: {}, keys, env, since: undefined });
    write(empty, 'client.json', '{ "$version": 4 }');
    const made = await scanTree({ root: empty, leaveOut: [], blank: {}, keys, env, since: none });
    expect(compareManifests(none, made)).toEqual([]);
  });

  test('node_modules and what is left out are no part of it; a pipe is seen and never opened', async () => {
    const root = fresh();
    write(root, 'a.ts', '1');
    const before = await look(root);
    write(root, 'node_modules/x/index.js', 'x');
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await changed(root, before)).toEqual(['added pipe']);
    const out = await scanTree({ root, leaveOut: ['a.ts'], blank: {}, keys: {}, env, since: undefined });
    expect([...out.files.keys()]).toEqual(['pipe']);
  });

  test('a project in a folder of a larger repository keeps the rules above it', async () => {
    const top = fresh();
    git(top, 'init', '-q');
    write(top, '.gitignore', '/part/*.log\n');
    write(top, 'part/a.log', 'x');
    write(top, 'part/a.ts', 'x');
    write(top, 'elsewhere.ts', 'x');
    expect([...(await look(join(top, 'part'))).files.keys()]).toEqual(['a.ts']);
  });

  test('a manifest survives the store, and its digest says nothing of times', async () => {
    const root = fresh();
    write(root, 'ü b.ts', '1');
    write(root, 'empty', '');
    const one = await look(root);
    expect(unpackManifest(packManifest(one))).toEqual(one);
    utimesSync(join(root, 'empty'), 1, 1);
    expect(manifestDigest(await look(root))).toBe(manifestDigest(one));
  });

  test('an older manifest, which has sizes and times too, is still read', () => {
    const text =
      's2ZgYOBgYGCoVioqzUktVrKqVgLh9MwSJauSotJUHaWczDyQeLSSvpaWvpZeTn66UmxtrY5Scn5pXomSlVFtol5JMUNRaV5aBQMYfLCH0D+gNIsDhC8DpT/' +
      'sh/Axyey2TcX/Tf48nJvd4Pc/yj7cfe2SV4v0ZT0PyAXd3d4e7X2lOM5KLU7s3QP7yMLu2bHMjHPYb2w7Kj/hllVa3hvh1aYA';
    const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
    expect(unpackManifest(text)).toEqual({
      files: new Map([
        ['a.ts', { kind: 'f', digest: sha256('1') }],
        ['run', { kind: 'x', digest: sha256('2') }],
      ]),
      rules: { '': { git: true, lines: ['/**/*.log'] } },
    });
  });

  test(`${row('evidence.hidden')} of a file that cannot be read nobody says that it is unchanged`, async () => {
    const root = fresh();
    write(root, 'a.ts', '1');
    const before = await look(root);
    chmodSync(root, 0o755);
    chmodSync(join(root, 'a.ts'), 0);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(54_321);
    try {
      await expect(look(root, before)).rejects.toThrow('a.ts');
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('the thread records and compares, and says why it cannot', async () => {
    const root = fresh();
    git(root, 'init', '-q');
    write(root, 'a.ts', '1');
    const tree = { root, leaveOut: [], blank: {}, keys: {}, env };
    const recorded = await recordTree(tree, undefined, signal);
    expect(unpackManifest(recorded.text).files.size).toBe(1);
    write(root, 'b.ts', '1');
    expect(await listChanges(tree, recorded.text, signal)).toEqual([{ path: 'b.ts', how: 'added' }]);
    rmSync(join(root, '.git'), { recursive: true });
    await expect(listChanges(tree, recorded.text, signal)).rejects.toThrow('no longer there');
    await expect(
      recordTree({ root: '/nonexistent', leaveOut: [], blank: {}, keys: {}, env }, undefined, signal),
    ).rejects.toThrow();
  });
});
