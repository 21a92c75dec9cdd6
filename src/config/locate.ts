import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { sha256 } from '../base/crypto.ts';
import { isBelow, isWithin } from '../base/path.ts';
import { type DataFolder, dataFolder } from './data-folder.ts';
import { type Root, listRoots, readRoot, storeByPath } from './root.ts';
import { type Worktree, findClaimedCheckout, repositoryOf, worktreeAround } from './worktree.ts';
import type { Environment } from '../base/environment.ts';
import type { Project } from '../kernel/context.ts';

/** The inputs of the search for a project, in order of precedence. */
export interface LocateStart {
  /** `--project`. `SEKISHO_PROJECT` does the same, but not within a registered root: agents can set variables. */
  readonly project?: string | undefined;
  /** Variables with the project's folder that agent CLIs set: an agent's shell can be in another folder. */
  readonly clientVariables?: readonly string[];
  readonly hookFolder?: string | undefined;
  readonly cwd: string;
  readonly env: Environment;
}

/** A project with its folders and its store. */
export interface ProjectPlace extends Pick<
  Project,
  'key' | 'root' | 'tree' | 'home' | 'state' | 'worktrees' | 'registered'
> {
  readonly storeId: string;
  /** Its database, unless a setting names another. */
  readonly db: string;
  readonly data: DataFolder;
}

/** Finds a project and its store. Every entry point uses it, a hook before each tool call. */
export function locate(start: LocateStart): ProjectPlace {
  const data = dataFolder(start.env);
  const { folder, worktree, counterpart, registered } = chosenSpot(data, start);
  const made = registered === undefined ? agentTree(data, folder) : undefined;
  if (made !== undefined) return placeOf(data, made.root.path, made.tree, made.root);
  // A worktree's own `.sekisho/` is the main checkout's at another commit.
  const outside = worktree === undefined ? folder : dirname(worktree.top);
  const root = registered?.path ?? preparedAbove(counterpart) ?? preparedAbove(outside) ?? counterpart;
  return placeOf(data, root, worktree === undefined ? root : treeOf(worktree, root), registered);
}

function placeOf(data: DataFolder, root: string, tree: string, registered: Root | undefined): ProjectPlace {
  const storeId = registered?.store ?? storeByPath(data, root);
  const state = join(data.state, 'stores', storeId);
  return {
    root,
    tree,
    home: join(root, '.sekisho'),
    key: registered?.key ?? root,
    registered: registered !== undefined,
    storeId,
    state,
    worktrees: join(data.path, 'worktrees', storeId, rootMark(root)),
    db: registered?.db ?? ownDatabase(state),
    data,
  };
}

/** The database file of a store that has no other database. */
export function ownDatabase(state: string): string {
  return join(state, 'sekisho.db');
}

/** Registered roots whose folders are gone and from which this project may have been moved, likeliest first. */
export function findMovedRoots({ data, root, home, registered }: ProjectPlace): readonly Root[] {
  if (registered || !isFolder(home)) return [];
  const named = (one: Root) => basename(one.path) === basename(root);
  return listRoots(data)
    .filter((one) => !isFolder(one.path))
    .toSorted((a, b) => Number(named(b)) - Number(named(a)));
}

interface Spot {
  readonly folder: string;
  readonly worktree: Worktree | undefined;
  /** The corresponding folder in the main checkout. */
  readonly counterpart: string;
  readonly registered: Root | undefined;
}

function chosenSpot(data: DataFolder, start: LocateStart): Spot {
  const { project, cwd, env } = start;
  if (project !== undefined && project !== '') return spotOf(data, resolve(cwd, project));
  const found = spotOf(data, folderOf(start));
  const named = env['SEKISHO_PROJECT'] ?? '';
  return named === '' || found.registered !== undefined ? found : spotOf(data, resolve(cwd, named));
}

function spotOf(data: DataFolder, given: string): Spot {
  const folder = realPath(given);
  const worktree = worktreeAround(folder);
  const counterpart = worktree === undefined ? folder : join(worktree.main, relative(worktree.top, folder));
  const own = registeredAbove(data, folder);
  // A registered folder stays a root even if it is made to look like a worktree of another one.
  if (own !== undefined && worktree !== undefined && isWithin(own.path, worktree.top))
    return { folder, worktree: undefined, counterpart: folder, registered: own };
  return { folder, worktree, counterpart, registered: registeredAbove(data, counterpart) ?? own };
}

/** The place of a registered root, even if its folder was moved. */
export function placeOfRoot(data: DataFolder, root: Root): ProjectPlace {
  return placeOf(data, root.path, root.path, root);
}

/** Every registered root that a path can belong to. An agent can move, link and plant folders; each stays binding. */
export function rootsAround(data: DataFolder, path: string): readonly Root[] {
  const spellings = [...new Set([resolve(path), realPath(path)])];
  const folders = [...spellings, ...spellings.flatMap(findClaimedCheckout)].flatMap(upwards);
  const found = new Map([...new Set(folders)].map((one) => [one, readRoot(data, one)]));
  return [...found.values()].filter((one) => one !== undefined);
}

/** The root of a worktree that we made for an agent. Git's records do not matter: the agent can have changed them. */
function agentTree(data: DataFolder, folder: string): { readonly root: Root; readonly tree: string } | undefined {
  const made = join(realPath(data.path), 'worktrees');
  if (!isBelow(folder, made)) return undefined;
  const [store = '', mark = '', name] = relative(made, folder).split(sep);
  const root = listRoots(data).find((one) => one.store === store && rootMark(one.path) === mark);
  if (root === undefined || name === undefined) return undefined;
  // The root can be a folder of its repository, which the tree has as a whole.
  const inside = relative(repositoryOf(root.path), root.path);
  return { root, tree: join(made, store, mark, name, inside) };
}

/** Tells the roots of one store apart in the paths of their agents' trees. */
function rootMark(root: string): string {
  return sha256(root).slice(0, 8);
}

function folderOf({ clientVariables = [], hookFolder, cwd, env }: LocateStart): string {
  const named = [...clientVariables.map((name) => env[name]), hookFolder].find(
    (one) => one !== undefined && one !== '' && isFolder(resolve(cwd, one)),
  );
  return resolve(cwd, named ?? '.');
}

function registeredAbove(data: DataFolder, folder: string): Root | undefined {
  for (const one of upwards(folder)) {
    const root = readRoot(data, one);
    if (root !== undefined) return root;
  }
  return undefined;
}

function preparedAbove(folder: string): string | undefined {
  return upwards(folder).find((one) => isFolder(join(one, '.sekisho')));
}

function upwards(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...upwards(above)];
}

/** The folder in the worktree that corresponds to the root in the main checkout. */
function treeOf(worktree: { readonly top: string; readonly main: string }, root: string): string {
  if (isWithin(root, worktree.main)) return join(worktree.top, relative(worktree.main, root));
  // A root above the worktree contains it; a root above only the main checkout does not.
  return isBelow(worktree.top, root) ? root : worktree.top;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A path with links resolved as far as it exists. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path));
  }
}
