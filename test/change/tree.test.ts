import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Attempt,
  type Change,
  changeQuery,
  ensureTree,
  findParent,
  keepLeftovers,
  keptFiles,
  planChange,
  removeTree,
  stageAttempt,
  toChange,
  treeAuthor,
  whyNoTree,
} from '../../src/change/index.ts';
import { filesNotWrittenByAgents } from '../../src/fleet/index.ts';
import type { Context } from '../../src/kernel/context.ts';
import { type Bench, makeBench } from '../setup/context.ts';

const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...who, ...args], { encoding: 'utf8' }).trim();
}

let bench: Bench;
let context: Context;
let number = 0;

beforeAll(async () => {
  bench = await makeBench('sqlite');
  context = await bench.context();
  git(bench.project, 'init', '--quiet', '--initial-branch=main');
  mkdirSync(join(bench.project, 'src'));
  writeFileSync(join(bench.project, 'src/index.js'), 'export const one = 1;\n');
  writeFileSync(join(bench.project, '.gitignore'), 'dist/\n');
  git(bench.project, 'add', '-A');
  git(bench.project, 'commit', '--quiet', '-m', 'first');
});
afterAll(() => bench.close());

async function open(name = `task-${++number}`, more: Partial<Parameters<typeof planChange>[1]> = {}) {
  const folder = bench.project;
  const planned = await planChange(context, {
    owner: `task:${name}`,
    round: 1,
    title: 'Add two',
    folder,
    names: [name],
    ...more,
  });
  const [first, ...rest] = planned.entries;
  await context.store.commit(planned.writes, [first!, ...rest]);
  return planned.change;
}

const make = (change: Change) => ensureTree(change, treeAuthor('a-1', 'Ada'), process.env);

const reread = async ({ id }: Change) => {
  const [[row] = []] = await context.store.read([changeQuery(id)]);
  return toChange(row!);
};

function attempt(change: Change, more: Partial<Attempt> = {}): Attempt {
  const kept = keptFiles(change, bench.project, filesNotWrittenByAgents(), ['plan.md']);
  return { agent: 'a-1', author: 'Ada', task: 't-1', run: 'run-1', reported: false, kept, ...more };
}

async function record(change: Change, more: Partial<Attempt> = {}): Promise<Change> {
  const staged = await stageAttempt(context, change, attempt(change, more));
  const [first, ...rest] = staged.entries;
  if (first !== undefined) await context.store.commit(staged.writes, [first, ...rest]);
  await staged.publish();
  return reread(change);
}

const filesOf = (commit: string | null) => git(bench.project, 'ls-tree', '-r', '--name-only', commit ?? '').split('\n');
const contentOf = (commit: string | null, path: string) => git(bench.project, 'show', `${commit}:${path}`);

describe('a tree', () => {
  test('is a repository of its own that borrows the objects of the main checkout', async () => {
    const change = await open();
    await make(change);
    expect(readFileSync(join(change.path, 'src/index.js'), 'utf8')).toBe('export const one = 1;\n');
    expect(git(change.path, 'branch', '--show-current')).toBe(change.branch);
    expect(git(change.path, 'status', '--porcelain')).toBe('');
    expect(git(change.path, 'remote')).toBe('');
    expect(git(bench.project, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(git(bench.project, 'branch', '--list', 'sekisho/*')).toBe('');
    git(change.path, 'commit', '--quiet', '--allow-empty', '-m', 'mine');
    expect(git(bench.project, 'log', '--oneline', '--all')).not.toContain('mine');
  });

  test('stays usable after the main checkout was rewound and collected', async () => {
    writeFileSync(join(bench.project, 'later.txt'), 'later\n');
    git(bench.project, 'add', '-A');
    git(bench.project, 'commit', '--quiet', '-m', 'later');
    const change = await open();
    await make(change);
    git(bench.project, 'reset', '--quiet', '--hard', 'HEAD~1');
    git(bench.project, 'reflog', 'expire', '--expire=now', '--all');
    git(bench.project, 'gc', '--quiet', '--prune=now');
    expect(git(change.path, 'fsck')).not.toContain('missing');
    expect(git(change.path, 'status', '--porcelain')).toBe('');
  });

  test('is the same for the next attempt, with what was recorded', async () => {
    const change = await open();
    await make(change);
    writeFileSync(join(change.path, 'two.js'), '2\n');
    mkdirSync(join(change.path, 'dist'));
    writeFileSync(join(change.path, 'dist/out.js'), 'built\n');
    const after = await record(change);
    const { isNew } = await make(after);
    expect(isNew).toBe(false);
    expect(git(change.path, 'rev-parse', 'HEAD')).toBe(after.head);
    expect(git(change.path, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(change.path, 'dist/out.js'))).toBe(true);
  });

  test('is made again from the store if an agent has broken or removed it', async () => {
    const change = await open();
    await make(change);
    writeFileSync(join(change.path, 'two.js'), '2\n');
    const after = await record(change);
    rmSync(join(change.path, '.git/HEAD'));
    expect((await make(after)).isNew).toBe(true);
    expect(readFileSync(join(change.path, 'two.js'), 'utf8')).toBe('2\n');
    removeTree(change);
    expect((await make(after)).isNew).toBe(true);
    expect(git(change.path, 'rev-parse', 'HEAD')).toBe(after.head);
  });

  test('that could not be finished leaves nothing half-made behind', async () => {
    const change = await open();
    mkdirSync(`${change.path}.making`, { recursive: true });
    writeFileSync(`${change.path}.making/half`, '');
    await make(change);
    expect(existsSync(join(change.path, 'half'))).toBe(false);
    await expect(make({ ...change, path: `${change.path}-unfinished`, base: '1'.repeat(40) })).rejects.toThrow(
      /nonexistent object/,
    );
    expect(readdirSync(join(change.path, '..')).filter((one) => one.includes('-unfinished'))).toEqual([]);
  });

  test('gets another name where a branch of that name, or one called sekisho, is there already', async () => {
    git(bench.project, 'branch', 'sekisho/taken');
    const change = await open('taken');
    expect(change.branch).toBe('sekisho-taken');
    const before = git(bench.project, 'rev-parse', 'sekisho/taken');
    await make(change);
    writeFileSync(join(change.path, 'two.js'), '2\n');
    expect(git(bench.project, 'rev-parse', 'sekisho/taken')).toBe(before);
    const after = await record(change);
    expect(git(bench.project, 'rev-parse', 'sekisho-taken')).toBe(after.head);
  });

  test('is refused without a commit, and where the target does not exist', async () => {
    const bare = await makeBench('sqlite');
    try {
      const there = await bare.context();
      expect((await whyNoTree(there, bare.project))?.('en')).toContain('needs a git repository with a commit');
      git(bare.project, 'init', '--quiet');
      expect((await whyNoTree(there, bare.project))?.('en')).toContain('needs a git repository with a commit');
      git(bare.project, 'commit', '--quiet', '--allow-empty', '-m', 'first');
      expect(await whyNoTree(there, bare.project)).toBeUndefined();
      git(bare.project, 'checkout', '--quiet', '--detach');
      expect((await whyNoTree(there, bare.project))?.('en')).toContain('detached');
    } finally {
      await bare.close();
    }
  });

  test('several are made at once', async () => {
    const changes = await Promise.all([1, 2, 3, 4].map(async () => open(`at-once-${++number}`)));
    await Promise.all(changes.map(make));
    expect(changes.map(({ path }) => existsSync(join(path, 'src/index.js')))).toEqual([true, true, true, true]);
  });
});

describe('a recorded commit', () => {
  test('has what is on the disk: added, edited, removed, modes, links, odd names', async () => {
    const change = await open();
    await make(change);
    writeFileSync(join(change.path, 'src/index.js'), 'export const one = 11;\n');
    writeFileSync(join(change.path, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync('src/index.js', join(change.path, 'link'));
    writeFileSync(join(change.path, 'a "b"\n\\c é.txt'), 'odd\n');
    rmSync(join(change.path, '.gitignore'));
    const after = await record(change);
    expect(contentOf(after.head, 'src/index.js')).toBe('export const one = 11;');
    const listed = git(bench.project, '-c', 'core.quotePath=off', 'ls-tree', '-r', '-z', after.head ?? '');
    expect(listed).toContain('100755 blob');
    expect(listed).toContain('120000 blob');
    expect(listed).toContain('\ta "b"\n\\c é.txt');
    expect(filesOf(after.head)).not.toContain('.gitignore');
    expect(after).toMatchObject({ files: 5, additions: 4, deletions: 2, state: 'open' });
    expect(git(bench.project, 'rev-parse', change.branch)).toBe(after.head);
    const message = git(bench.project, 'log', '-1', '--format=%an <%ae>%n%B', after.head ?? '');
    expect(message).toContain('Ada <a-1@sekisho.invalid>\nAdd two\n');
    expect(message).toContain('Sekisho-Task: t-1\nSekisho-Agent: a-1\nSekisho-Run: run-1');
    expect(git(bench.project, 'status', '--porcelain')).toBe('');
  });

  test('names the commits that the agent made, and is none if nothing changed', async () => {
    const change = await open();
    await make(change);
    expect((await record(change)).head).toBeNull();
    writeFileSync(join(change.path, 'two.js'), '2\n');
    git(change.path, 'add', '-A');
    git(change.path, 'commit', '--quiet', '-m', 'Add the second\n\nSekisho-Task: forged');
    const after = await record(change);
    expect(git(bench.project, 'log', '-1', '--format=%B', after.head ?? '')).toContain('- Add the second');
    expect(git(bench.project, 'log', '-1', '--format=%(trailers:key=Sekisho-Task,valueonly)', after.head ?? '')).toBe(
      't-1',
    );
    expect((await record(after)).head).toBe(after.head);
  });

  test('shows what an agent hides from git: flags, encodings, filters, a file that was never there', async () => {
    const change = await open();
    await make(change);
    const file = join(change.path, 'src/index.js');
    writeFileSync(file, 'evil\n');
    git(change.path, 'commit', '--quiet', '-am', 'evil');
    writeFileSync(file, 'benign\n');
    git(change.path, 'update-index', '--assume-unchanged', 'src/index.js');
    writeFileSync(join(change.path, '.gitattributes'), '*.html working-tree-encoding=UTF-7\n*.txt filter=f\n');
    git(change.path, 'config', 'filter.f.clean', `touch ${join(change.path, 'ran')}; cat`);
    writeFileSync(join(change.path, 'page.html'), '+ADw-script+AD4-');
    writeFileSync(join(change.path, 'note.txt'), 'note\n');
    const blob = execFileSync('git', ['-C', change.path, 'hash-object', '-w', '--stdin'], { input: 'planted' })
      .toString()
      .trim();
    git(change.path, 'update-index', '--add', '--cacheinfo', `100644,${blob},.claude/settings.json`);
    git(change.path, 'config', 'core.hooksPath', change.path);
    git(change.path, 'config', 'core.fsmonitor', `touch ${join(change.path, 'ran')}`);
    const after = await record(change);
    expect(contentOf(after.head, 'src/index.js')).toBe('benign');
    expect(contentOf(after.head, 'page.html')).toBe('+ADw-script+AD4-');
    expect(filesOf(after.head)).not.toContain('.claude/settings.json');
    expect(existsSync(join(change.path, 'ran'))).toBe(false);
    expect(filesOf(after.head)).toContain('note.txt');
  });

  test('leaves out secrets, nested repositories, our own files and working papers', async () => {
    const change = await open();
    await make(change);
    for (const name of ['.env', '.env.local', 'passkeys.yaml', 'plan.md', 'kept.md'])
      writeFileSync(join(change.path, name), 'x\n');
    mkdirSync(join(change.path, '.sekisho'));
    writeFileSync(join(change.path, '.sekisho/config.yaml'), 'toolsets: [gate]\n');
    mkdirSync(join(change.path, 'nested'));
    git(join(change.path, 'nested'), 'init', '--quiet');
    git(join(change.path, 'nested'), 'commit', '--quiet', '--allow-empty', '-m', 'x');
    const after = await record(change);
    expect(filesOf(after.head)).toEqual(['.gitignore', 'kept.md', 'src/index.js']);
  });

  test('does not take what lies behind a link in place of a folder', async () => {
    const change = await open();
    await make(change);
    rmSync(join(change.path, 'src'), { recursive: true });
    symlinkSync('/etc', join(change.path, 'src'));
    const after = await record(change);
    expect(filesOf(after.head)).toEqual(['.gitignore', 'src']);
  });

  test('ends with the report: what an agent does afterwards is kept apart, and the tree is as reported', async () => {
    const change = await open();
    await make(change);
    writeFileSync(join(change.path, 'two.js'), '2\n');
    const reported = await record(change, { reported: true });
    expect(reported.reportedBy).toBe('a-1');
    writeFileSync(join(change.path, 'two.js'), 'later\n');
    writeFileSync(join(change.path, 'three.js'), '3\n');
    expect(await keepLeftovers(context, reported, attempt(reported))).toBe('sekisho/leftover/a-1');
    expect((await reread(change)).head).toBe(reported.head);
    expect(contentOf('sekisho/leftover/a-1', 'three.js')).toBe('3');
    expect(readFileSync(join(change.path, 'two.js'), 'utf8')).toBe('2\n');
    expect(existsSync(join(change.path, 'three.js'))).toBe(false);
    expect(await keepLeftovers(context, reported, attempt(reported))).toBeUndefined();
  });

  test('of two at once, one counts', async () => {
    const change = await open();
    await make(change);
    writeFileSync(join(change.path, 'two.js'), '2\n');
    const staged = await Promise.all([1, 2].map(() => stageAttempt(context, change, attempt(change))));
    const outcomes = await Promise.all(
      staged.map(({ writes, entries: [first, ...rest] }) => context.store.commit(writes, [first!, ...rest])),
    );
    expect(outcomes.filter((one) => one.done)).toHaveLength(1);
  });
});

test('an agent of an agent starts from the last commit of its parent', async () => {
  const parent = await open();
  await make(parent);
  writeFileSync(join(parent.path, 'two.js'), '2\n');
  git(parent.path, 'add', '-A');
  git(parent.path, 'commit', '--quiet', '-m', 'mine');
  writeFileSync(join(parent.path, 'uncommitted.js'), '3\n');
  const there = { ...context, project: { ...context.project, tree: parent.path } };
  const found = await findParent(there);
  expect(found).toMatchObject({ change: { id: parent.id } });
  const child = await open(`child-${++number}`, { parent: found });
  expect(child).toMatchObject({
    target: parent.branch,
    parent: parent.id,
    base: git(parent.path, 'rev-parse', 'HEAD'),
  });
  await make(child);
  expect(existsSync(join(child.path, 'two.js'))).toBe(true);
  expect(existsSync(join(child.path, 'uncommitted.js'))).toBe(false);
  expect(await findParent(context)).toBeUndefined();
});
