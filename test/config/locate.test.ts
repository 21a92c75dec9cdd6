import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolder } from '../../src/config/data-folder.ts';
import { folderName } from '../../src/config/folder-name.ts';
import { locate, findMovedRoots } from '../../src/config/locate.ts';
import { addRoot, listRoots, moveRoot, readRoot } from '../../src/config/root.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-locate-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const env = () => ({ XDG_DATA_HOME: join(base, 'data') });
const data = () => dataFolder(env());
const at = (path: string) => locate({ cwd: join(base, path), env: env() });

function folders(...paths: readonly string[]): void {
  for (const path of paths) mkdirSync(join(base, path), { recursive: true });
}

function file(path: string, text: string): void {
  folders(dirname(path));
  writeFileSync(join(base, path), text);
}

function register(path: string, store = folderName(join(base, path))) {
  return addRoot(data(), { path: join(base, path), key: join(base, path), store, at: '2026-01-01T00:00:00.000Z' });
}

function git(folder: string, ...args: readonly string[]): void {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  execFileSync('git', ['-C', join(base, folder), ...who, ...args], { stdio: 'pipe' });
}

/** `app` with a commit, and `tree`, a worktree of it. */
function checkout(): void {
  file('app/src/a.ts', '');
  git('app', 'init', '--quiet');
  git('app', 'add', '.');
  git('app', 'commit', '--quiet', '-m', 'first');
  git('app', 'worktree', 'add', '--quiet', '-b', 'side', '../tree');
}

interface Case {
  readonly title: string;
  readonly make: () => void;
  readonly from: string;
  readonly root: string;
  readonly tree?: string;
  readonly registered: boolean;
}

const cases: readonly Case[] = [
  {
    title: 'a registered root is itself',
    make: () => {
      folders('app/.sekisho');
      register('app');
    },
    from: 'app',
    root: 'app',
    registered: true,
  },
  {
    title: 'a subfolder belongs to the registered root above it',
    make: () => {
      folders('app/src/deep');
      register('app');
    },
    from: 'app/src/deep',
    root: 'app',
    registered: true,
  },
  {
    title: 'a subfolder belongs to the unregistered .sekisho above it',
    make: () => folders('app/.sekisho', 'app/src'),
    from: 'app/src',
    root: 'app',
    registered: false,
  },
  {
    title: 'a registered root outranks an unregistered .sekisho below it',
    make: () => {
      folders('app/.sekisho', 'app/vendor/lib/.sekisho');
      register('app');
    },
    from: 'app/vendor/lib',
    root: 'app',
    registered: true,
  },
  {
    title: 'of two registered roots the nearer one counts',
    make: () => {
      folders('app/packages/web');
      register('app');
      register('app/packages/web');
    },
    from: 'app/packages/web',
    root: 'app/packages/web',
    registered: true,
  },
  {
    title: 'a registered root without its .sekisho is still registered',
    make: () => {
      folders('app/.sekisho');
      register('app');
      rmSync(join(base, 'app/.sekisho'), { recursive: true });
    },
    from: 'app',
    root: 'app',
    registered: true,
  },
  {
    title: 'a plain folder is served by its path',
    make: () => folders('plain'),
    from: 'plain',
    root: 'plain',
    registered: false,
  },
  {
    title: 'a linked folder is its real path',
    make: () => {
      folders('app/src');
      register('app');
      symlinkSync(join(base, 'app/src'), join(base, 'short'));
    },
    from: 'short',
    root: 'app',
    registered: true,
  },
  {
    title: 'a worktree counts as its registered main checkout',
    make: () => {
      checkout();
      register('app');
    },
    from: 'tree',
    root: 'app',
    tree: 'tree',
    registered: true,
  },
  {
    title: 'a subfolder of a worktree too',
    make: () => {
      checkout();
      register('app');
    },
    from: 'tree/src',
    root: 'app',
    tree: 'tree',
    registered: true,
  },
  {
    title: 'a worktree counts as its main checkout where nothing is registered, whatever .sekisho it has itself',
    make: () => {
      checkout();
      folders('app/.sekisho', 'tree/.sekisho');
    },
    from: 'tree',
    root: 'app',
    tree: 'tree',
    registered: false,
  },
  {
    title: 'a worktree of a plain checkout has that checkout’s store, whatever .sekisho somebody makes in it',
    make: () => {
      checkout();
      folders('tree/.sekisho');
    },
    from: 'tree',
    root: 'app',
    tree: 'tree',
    registered: false,
  },
  {
    title: 'a root inside the checkout has its counterpart in the worktree as tree',
    make: () => {
      checkout();
      register('app/src');
    },
    from: 'tree/src',
    root: 'app/src',
    tree: 'tree/src',
    registered: true,
  },
  {
    title: 'a worktree inside its own checkout is still a worktree',
    make: () => {
      checkout();
      register('app');
      git('app', 'worktree', 'add', '--quiet', '-b', 'inner', '.trees/inner');
    },
    from: 'app/.trees/inner/src',
    root: 'app',
    tree: 'app/.trees/inner',
    registered: true,
  },
  {
    title: 'a .git file copied from a worktree makes none',
    make: () => {
      checkout();
      register('app');
      file('forged/.git', `gitdir: ${join(base, 'app/.git/worktrees/tree')}\n`);
    },
    from: 'forged',
    root: 'forged',
    registered: false,
  },
  {
    title: 'a .git file with records of its own making makes none',
    make: () => {
      checkout();
      register('app');
      file('forged/.git', `gitdir: ${join(base, 'records/worktrees/forged')}\n`);
      file('records/worktrees/forged/commondir', `${join(base, 'app/.git')}\n`);
      file('records/worktrees/forged/gitdir', `${join(base, 'forged/.git')}\n`);
    },
    from: 'forged',
    root: 'forged',
    registered: false,
  },
  {
    title: 'a .git file that leads to a pipe makes none, and nobody waits for it',
    make: () => {
      folders('records/worktrees/forged');
      file('forged/.git', `gitdir: ${join(base, 'records/worktrees/forged')}\n`);
      execFileSync('mkfifo', [join(base, 'records/worktrees/forged/commondir')]);
    },
    from: 'forged',
    root: 'forged',
    registered: false,
  },
  {
    title: 'a forged .git file inside a registered root leads nowhere else',
    make: () => {
      folders('other/.git/worktrees', 'other/.sekisho');
      register('app');
      file('app/sub/.git', `gitdir: ${join(base, 'other/.git/worktrees/sub')}\n`);
    },
    from: 'app/sub',
    root: 'app',
    registered: true,
  },
  {
    title: 'a real worktree of an unregistered checkout inside a registered root stays that root’s',
    make: () => {
      checkout();
      folders('gated');
      register('gated');
      git('app', 'worktree', 'add', '--quiet', '-b', 'hole', '../gated/hole');
    },
    from: 'gated/hole',
    root: 'gated',
    registered: true,
  },
  {
    title: 'a submodule belongs to the root around it',
    make: () => {
      file('app/lib/.git', 'gitdir: ../.git/modules/lib\n');
      folders('app/.git/modules/lib');
      register('app');
    },
    from: 'app/lib',
    root: 'app',
    registered: true,
  },
  {
    title: 'a moved folder is not registered where it is now',
    make: () => {
      folders('app/.sekisho');
      register('app');
      renameSync(join(base, 'app'), join(base, 'renamed'));
    },
    from: 'renamed',
    root: 'renamed',
    registered: false,
  },
];

describe('a project is found by one function', () => {
  it.each(cases)('$title', ({ make, from, root, tree, registered }) => {
    make();
    const place = at(from);
    expect({ root: place.root, tree: place.tree, registered: place.registered }).toEqual({
      root: join(base, root),
      tree: join(base, tree ?? root),
      registered,
    });
    expect(place.home).toBe(join(base, root, '.sekisho'));
    expect(place.key).toBe(place.root);
    expect(place.db).toBe(join(base, 'data/sekisho/state/stores', place.storeId, 'sekisho.db'));
  });

  it('looking registers nothing and makes nothing', () => {
    folders('plain');
    at('plain');
    expect(existsSync(join(base, 'data'))).toBe(false);
  });
});

describe('where to look from', () => {
  const start = (more: object) => locate({ cwd: join(base, 'cwd'), env: env(), ...more }).root;
  beforeEach(() => folders('cwd', 'flag', 'variable', 'client', 'hook'));

  it('is the flag, the variable, the client’s variable, the hook’s folder, the working directory, in this order', () => {
    const variables = {
      env: { ...env(), SEKISHO_PROJECT: join(base, 'variable'), CLIENT: join(base, 'client') },
      clientVariables: ['OTHER', 'CLIENT'],
    };
    const client = { ...variables, env: { ...variables.env, SEKISHO_PROJECT: '' } };
    const hookFolder = join(base, 'hook');
    expect(start({ ...variables, hookFolder, project: '../flag' })).toBe(join(base, 'flag'));
    expect(start({ ...variables, hookFolder })).toBe(join(base, 'variable'));
    expect(start({ ...client, hookFolder })).toBe(join(base, 'client'));
    expect(start({ hookFolder })).toBe(join(base, 'hook'));
    expect(start({})).toBe(join(base, 'cwd'));
  });

  it('goes upwards from a flag too', () => {
    folders('app/src');
    register('app');
    expect(start({ project: join(base, 'app/src') })).toBe(join(base, 'app'));
  });

  it('is not a client’s folder that is not there', () => {
    expect(start({ env: { ...env(), CLIENT: '/nowhere/at/all' }, clientVariables: ['CLIENT'] })).toBe(
      join(base, 'cwd'),
    );
  });
});

describe('the registry', () => {
  it('keeps the store that a folder had before it was registered', () => {
    folders('app');
    const before = at('app');
    register('app', before.storeId);
    expect(at('app').db).toBe(before.db);
  });

  it('takes the first of two registrations of one root', () => {
    folders('app');
    register('app', 'one');
    expect(register('app', 'two').store).toBe('one');
    expect(listRoots(data()).map((one) => one.store)).toEqual(['one']);
  });

  it('has several roots of one store, each with rows of its own', () => {
    folders('app', 'lib');
    register('app', 'shared');
    register('lib', 'shared');
    expect(at('app').db).toBe(at('lib').db);
    expect(at('app').key).not.toBe(at('lib').key);
  });

  it('takes a moved root along: its store and what its rows are filed under', () => {
    folders('app/.sekisho');
    const root = register('app');
    const before = at('app');
    renameSync(join(base, 'app'), join(base, 'renamed'));
    moveRoot(data(), root, join(base, 'renamed'));
    const after = at('renamed');
    expect(after).toMatchObject({ registered: true, storeId: before.storeId, key: before.key });
    expect(readRoot(data(), join(base, 'app'))).toBeUndefined();
  });

  it('gives a folder that is made where one has moved away a store of its own, every time', () => {
    folders('app');
    const seen = new Set<string>();
    for (const place of ['first', 'second', 'third']) {
      const { storeId } = at('app');
      seen.add(storeId);
      const root = register('app', storeId);
      expect(at('app').storeId).toBe(storeId);
      moveRoot(data(), root, join(base, place));
    }
    expect(seen.size).toBe(3);
  });

  it('knows which registered root a moved folder may be, the one of the same name first', () => {
    folders('a/other', 'a/app/.sekisho', 'b');
    register('a/other');
    register('a/app');
    expect(findMovedRoots(at('a/app'))).toEqual([]);
    renameSync(join(base, 'a/app'), join(base, 'b/app'));
    rmSync(join(base, 'a/other'), { recursive: true });
    expect(findMovedRoots(at('b/app')).map((one) => one.path)).toEqual([join(base, 'a/app'), join(base, 'a/other')]);
    expect(findMovedRoots(at('b'))).toEqual([]);
  });

  it('names no two paths alike, and none too long for a file', () => {
    const long = `/${'very-long-name/'.repeat(40)}end`;
    const paths = ['/', '/a', '/a/b', '/a+b', '/a%002bb', '/ä', '/a b', '/A', long, `${long}r`, String.raw`C:\a`];
    const names = paths.map(folderName);
    expect(new Set(names).size).toBe(paths.length);
    for (const name of names) for (const part of name.split('/')) expect(part.length).toBeLessThanOrEqual(201);
    mkdirSync(join(base, long.slice(1)), { recursive: true });
    register(long.slice(1));
    expect(at(long.slice(1)).registered).toBe(true);
    expect(listRoots(data())).toHaveLength(1);
  });
});
