import { lstatSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isBelow } from '../base/path.ts';
import type { Context } from '../kernel/context.ts';
import { entry } from '../kernel/store/journal.ts';
import { text } from '../kernel/store/row.ts';
import type { Entry, Write } from '../kernel/store/store.ts';
import type { Sentence } from '../kernel/text/text.ts';
import { type Repository, findRepository, tryGit } from '../machine/git.ts';
import { thisMachine } from '../machine/this-machine.ts';
import { type Change, toChange, treeQuery } from './change.ts';
import { TreeRefusal } from './refusal.ts';
import { lastCommitIn } from './tree.ts';
import { phrase } from './phrase.ts';
import { settings } from './settings.ts';

export interface ChangeWish {
  readonly owner: string;
  /** Its place among the changes of the owner. */
  readonly round: number;
  readonly title: string;
  /** A folder of the project, as the caller sees it. */
  readonly folder: string;
  /** Names for branch and folder; the first that is free is taken. The last one must be unique by itself. */
  readonly names: readonly [string, ...string[]];
  /** The change of the agent that asks, and the commit of it on which this one starts. */
  readonly parent?: { readonly change: Change; readonly commit: string } | undefined;
}

export interface PlannedChange {
  readonly change: Change;
  /** The folder of the tree that corresponds to the wished one. */
  readonly folder: string;
  readonly writes: readonly Write[];
  readonly entries: readonly Entry[];
}

type Planner = Pick<Context, 'store' | 'project' | 'settings' | 'environment' | 'now' | 'newId' | 'actor'>;

/** The folder of the main checkout that corresponds to a folder of the caller's tree. */
function mainFolder({ project: { root, tree } }: Pick<Context, 'project'>, folder: string): string {
  const inside = relative(tree, folder);
  return inside.startsWith('..') ? folder : join(root, inside);
}

/** Whether an agent that is to work in this folder can have a tree of its own: the sentence says why not. */
export async function whyNoTree(context: Planner, folder: string): Promise<Sentence | undefined> {
  try {
    await startOf(context, mainFolder(context, folder));
    return undefined;
  } catch (error) {
    if (error instanceof TreeRefusal) return error.sentence;
    throw error;
  }
}

/** The branch on which new trees start, and its commit. */
async function startOf(
  context: Planner,
  folder: string,
): Promise<{ repository: Repository; target: string; base: string }> {
  const repository = findRepository(realpathSync(folder), context.environment, true);
  const hasCommit = repository !== undefined && (await commitOf(repository, 'HEAD')) !== undefined;
  if (!hasCommit) throw new TreeRefusal(phrase.noRepository({ path: folder }));
  const target = await targetOf(context, repository);
  const base = await commitOf(repository, `refs/heads/${target}`);
  if (base === undefined) throw new TreeRefusal(phrase.noTarget({ target }));
  return { repository, target, base };
}

async function targetOf(context: Planner, repository: Repository): Promise<string> {
  const configured = settings.of(context).land.target;
  if (configured !== undefined) return configured;
  const [[first] = []] = await context.store.read([
    {
      sql: `select target from change where project = :project and parent is null and repository = :repository order by id limit 1`,
      args: { project: context.project.key, repository: repository.workTree },
    },
  ]);
  if (first !== undefined && (await commitOf(repository, `refs/heads/${text(first, 'target')}`)) !== undefined)
    return text(first, 'target');
  const current = await tryGit(repository, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (current === undefined) throw new TreeRefusal(phrase.detached());
  return current;
}

export function commitOf(repository: Repository, name: string): Promise<string | undefined> {
  return tryGit(repository, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
}

/**
 * Plans a change: its branch, its folder and the commit on which it starts. Nothing is made yet; the host makes the tree
 * from the row. Throws a `TreeRefusal`.
 */
export async function planChange(context: Planner, wish: ChangeWish): Promise<PlannedChange> {
  const { owner, round, title, parent } = wish;
  const folder = mainFolder(context, wish.folder);
  const { repository, ...tip } = await startOf(context, folder);
  const { target, base } = parent === undefined ? tip : { target: parent.change.branch, base: parent.commit };
  const machine = thisMachine();
  const { branch, path } = await freeNames(context, repository, machine, wish.names);
  const id = context.newId('chg-');
  const at = context.now().toISOString();
  const row = {
    id,
    project: context.project.key,
    owner,
    round,
    title: title.slice(0, 200),
    state: 'open',
    branch,
    target,
    parent: parent?.change.id ?? null,
    base,
    machine,
    repository: repository.workTree,
    path,
    files: 0,
    additions: 0,
    deletions: 0,
    created_at: at,
    updated_at: at,
    revision: 0,
  };
  const columns = Object.keys(row);
  const change = toChange(row);
  return {
    change,
    folder: folderIn(change, realpathSync(folder)),
    writes: [
      {
        sql: `insert into change (${columns.join(', ')}) values (${columns.map((one) => `:${one}`).join(', ')})`,
        args: row,
        rows: 1,
      },
    ],
    entries: [entry(context, id, 'change.opened', { owner, branch, target, base })],
  };
}

/** A branch that the repository does not have and a folder that does not exist: a ref that is not ours is left alone. */
async function freeNames(context: Planner, repository: Repository, machine: string, names: ChangeWish['names']) {
  const candidates = [
    ...names.map((name) => ({ branch: `sekisho/${name}`, name })),
    // Somebody may have a branch called `sekisho`.
    ...names.slice(-1).map((name) => ({ branch: `sekisho-${name}`, name })),
  ];
  for (const { branch, name } of candidates) {
    const path = join(context.project.worktrees, name);
    const isFree =
      (await tryGit(repository, ['check-ref-format', '--branch', branch])) !== undefined &&
      (await canCreate(repository, branch)) &&
      lstatSync(path, { throwIfNoEntry: false }) === undefined;
    const [[taken] = []] = isFree ? await context.store.read([treeQuery(machine, path)]) : [];
    if (isFree && taken === undefined) return { branch, path };
  }
  const name = context.newId('tree-');
  return { branch: `sekisho-${name}`, path: join(context.project.worktrees, name) };
}

/** Whether the branch can be made: neither it nor one above or below it exists. */
async function canCreate(repository: Repository, branch: string): Promise<boolean> {
  const parts = branch.split('/');
  const above = parts.map((_, at) => `refs/heads/${parts.slice(0, at + 1).join('/')}`);
  const listed = await tryGit(repository, ['for-each-ref', '--format=%(refname)', ...above, `refs/heads/${branch}/`]);
  const found = (listed ?? '').split('\n').filter((one) => one !== '');
  return !found.some((one) => above.includes(one) || one.startsWith(`refs/heads/${branch}/`));
}

/** The folder of the project in a tree: the project can be a part of its repository. */
export function folderIn({ path, repository }: Pick<Change, 'path' | 'repository'>, folder: string): string {
  const inside = relative(repository, folder);
  return inside === '' || inside.startsWith('..') ? path : join(path, inside);
}

/** The change in whose tree an agent asks, with the commit that it made last; undefined for a person and elsewhere. */
export async function findParent(context: Planner): Promise<ChangeWish['parent']> {
  const { project, actor, store, environment } = context;
  if (actor.person || !isBelow(project.tree, project.worktrees)) return undefined;
  const top = join(project.worktrees, relative(project.worktrees, project.tree).split(sep)[0] ?? '');
  const [[row] = []] = await store.read([treeQuery(thisMachine(), top)]);
  if (row === undefined) return undefined;
  const change = toChange(row);
  return { change, commit: await lastCommitIn(change, environment) };
}
