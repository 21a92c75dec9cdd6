import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { type Repository, findRepository, initRepository, runGit, tryGit } from '../machine/git.ts';
import type { Change } from './change.ts';
import { readTreeFiles } from './read-tree.ts';
import { phrase } from './phrase.ts';
import { TreeRefusal } from './refusal.ts';

/** The author of commits that an agent makes in its tree. */
export interface TreeAuthor {
  readonly name: string;
  readonly email: string;
}

export interface MadeTree {
  /** True if the tree was made now, false if it was there. */
  readonly isNew: boolean;
  readonly filtered: Readonly<Record<string, string>>;
}

/** The main checkout's repository of a change. */
export function homeOf({ repository }: Pick<Change, 'repository'>, env: Environment): Repository {
  const found = findRepository(repository, env, false);
  if (found === undefined) throw new TreeRefusal(phrase.noRepository({ path: repository }));
  return found;
}

function treeRepository({ path }: Pick<Change, 'path'>, env: Environment): Repository {
  return { cwd: path, gitDir: join(path, '.git'), workTree: path, env };
}

/**
 * Makes the tree of a change, or prepares the one that is there for the next attempt. A tree is a repository of its own
 * that borrows the objects of the main checkout: it shares neither branches nor configuration with it. It starts at the
 * commit in the row, whatever branches say.
 */
export async function ensureTree(change: Change, author: TreeAuthor, env: Environment): Promise<MadeTree> {
  const home = homeOf(change, env);
  const start = change.head ?? change.base;
  // A `git gc` in the main checkout must not remove what the tree borrows.
  await runGit(home, ['update-ref', `refs/sekisho/base/${change.id}`, change.base]);
  if (existsSync(join(change.path, '.git')) && (await isReset(treeRepository(change, env), change.branch, start)))
    return { isNew: false, filtered: change.filtered };
  removeTree(change);
  const making = `${change.path}.making`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true, mode: 0o700 });
  try {
    const filtered = await makeTree(home, { ...change, path: making }, start, author, env);
    renameSync(making, change.path);
    return { isNew: true, filtered };
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    throw error;
  }
}

async function makeTree(home: Repository, change: Change, start: string, author: TreeAuthor, env: Environment) {
  const [objects, shallow, format] = await Promise.all(
    [['--git-path', 'objects'], ['--git-path', 'shallow'], ['--show-object-format']].map((what) =>
      runGit(home, ['rev-parse', '--path-format=absolute', ...what]).then((text) => text.toString('utf8').trim()),
    ),
  );
  const tree = await initRepository(change.path, env, [
    `--initial-branch=${change.branch}`,
    ...(format === undefined || format === 'sha1' ? [] : [`--object-format=${format}`]),
  ]);
  mkdirSync(join(tree.gitDir, 'info'), { recursive: true });
  mkdirSync(join(tree.gitDir, 'objects', 'info'), { recursive: true });
  writeFileSync(join(tree.gitDir, 'objects', 'info', 'alternates'), `${objects}\n`);
  if (shallow !== undefined && existsSync(shallow)) copyFileSync(shallow, join(tree.gitDir, 'shallow'));
  await runGit(tree, ['config', 'user.name', author.name]);
  await runGit(tree, ['config', 'user.email', author.email]);
  // For people and agents who compare with the target; no remote is configured.
  await runGit(tree, ['update-ref', `refs/remotes/origin/${change.target}`, change.base]);
  await runGit(tree, ['update-ref', `refs/heads/${change.branch}`, start]);
  await runGit(tree, ['reset', '--hard', '--quiet', start]);
  const { changed } = await readTreeFiles(home, { ...change, head: start, filtered: {} }, env);
  return Object.fromEntries(changed.flatMap(({ name, id }) => (id === undefined ? [] : [[name, id]])));
}

/** Points a tree's branch and index at the commit. False if that fails: an agent may have broken its repository. */
async function isReset(tree: Repository, branch: string, start: string): Promise<boolean> {
  rmSync(join(tree.gitDir, 'index.lock'), { force: true });
  for (const args of [
    ['update-ref', '--no-deref', `refs/heads/${branch}`, start],
    ['symbolic-ref', 'HEAD', `refs/heads/${branch}`],
    ['reset', '--mixed', '--quiet', start],
  ])
    if ((await tryGit(tree, args, { filters: 'user' })) === undefined) return false;
  return true;
}

/** Makes the files of a tree those of its last recorded commit. What was there is recorded elsewhere already. */
export async function restoreTree(change: Change, env: Environment): Promise<void> {
  const tree = treeRepository(change, env);
  const start = change.head ?? change.base;
  if (!(await isReset(tree, change.branch, start))) return removeTree(change);
  await tryGit(tree, ['reset', '--hard', '--quiet', start], { filters: 'user' });
  await tryGit(tree, ['clean', '-fdq'], { filters: 'user' });
}

/**
 * The commit that an agent made last in its tree, brought into the main checkout's repository; the last recorded one
 * without one of its own. Git computes the id of every object again.
 */
export async function lastCommitIn(change: Change, env: Environment): Promise<string> {
  const recorded = change.head ?? change.base;
  const found = await tryGit(treeRepository(change, env), ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (found === undefined || found === recorded) return recorded;
  const ref = `refs/sekisho/last/${change.id}`;
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--force', change.path, `HEAD:${ref}`];
  await runGit(homeOf(change, env), args, { protocol: 'file' });
  return (await tryGit(homeOf(change, env), ['rev-parse', '--verify', ref])) ?? recorded;
}

/** The subjects of the commits that an agent made in its tree, oldest first. */
export async function subjectsIn(change: Change, env: Environment): Promise<readonly string[]> {
  const range = `${change.head ?? change.base}..HEAD`;
  const args = ['log', '--reverse', '--format=%s', '--max-count=50', range, '--'];
  return ((await tryGit(treeRepository(change, env), args)) ?? '').split('\n').filter((one) => one !== '');
}

/** Removes a tree, and one that was never finished. */
export function removeTree({ path }: Pick<Change, 'path'>): void {
  // Renamed first: a removal that is interrupted must not leave half a tree under its name.
  const gone = `${path}.removed`;
  rmSync(gone, { recursive: true, force: true });
  if (existsSync(path)) renameSync(path, gone);
  for (const one of [gone, `${path}.making`]) rmSync(one, { recursive: true, force: true });
}
