import { lstatSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import type { Environment } from '../../base/environment.ts';
import { type Repository, findRepository, tryGit } from '../../machine/git.ts';
import type { Tally } from './stream-tally.ts';

/** The files that differ from the last commit, and the state of each. */
export interface Snapshot {
  readonly top: string;
  readonly head: string | undefined;
  readonly files: ReadonlyMap<string, { readonly isNew: boolean; readonly look: string }>;
}

const answerMs = 20_000;

/** The state of the work tree around a folder. Undefined without one, and if git fails: a result must not fail for it. */
export async function takeSnapshot(env: Environment, folder: string): Promise<Snapshot | undefined> {
  const repository = topOf(folder, env);
  if (repository === undefined) return undefined;
  const top = repository.workTree;
  const [status, head] = await Promise.all([
    tryGit(
      repository,
      ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all'],
      { filters: 'user', timeoutMs: answerMs },
    ),
    tryGit(repository, ['rev-parse', '--verify', '--quiet', 'HEAD']),
  ]);
  if (status === undefined) return undefined;
  const files = new Map<string, { isNew: boolean; look: string }>();
  for (const item of status.split('\0')) {
    const path = item.slice(3);
    if (path !== '') files.set(path, { isNew: /^(\?\?|A)/.test(item), look: describeFile(join(top, path)) });
  }
  return { top, head, files };
}

function topOf(folder: string, env: Environment): Repository | undefined {
  const found = findRepository(folder, env, true);
  return found && { ...found, cwd: found.workTree };
}

/** Describes a file's state. A link is described itself, not its target, so a broken link works too. */
function describeFile(path: string): string {
  try {
    const found = lstatSync(path);
    return `${found.size} ${found.mtimeMs} ${found.ino}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

export interface Changes {
  readonly created: readonly string[];
  readonly edited: readonly string[];
}

/** Returns the files that changed since a snapshot, including commits made since then. Paths are absolute. */
export async function changesSince(env: Environment, before: Snapshot): Promise<Changes> {
  const after = await takeSnapshot(env, before.top);
  if (after === undefined) return { created: [], edited: [] };
  const created = new Set<string>();
  const edited = new Set<string>();
  for (const [path, now] of after.files) {
    const then = before.files.get(path);
    if (then?.look === now.look) continue;
    (now.isNew && then === undefined ? created : edited).add(path);
  }
  // The file was dirty and is clean again: it was committed or restored.
  for (const path of before.files.keys()) if (!after.files.has(path) && after.head === before.head) edited.add(path);
  if (after.head !== undefined && after.head !== before.head)
    for (const { path, isNew } of await listCommitted(env, after.top, before.head, after.head))
      (isNew ? created : edited).add(path);
  const own = (path: string) => !path.startsWith('.sekisho/');
  const absolute = (paths: Iterable<string>) => [...paths].filter(own).map((path) => join(before.top, path));
  return { created: absolute(created), edited: absolute([...edited].filter((path) => !created.has(path))) };
}

async function listCommitted(env: Environment, top: string, from: string | undefined, to: string) {
  const range = from === undefined ? ['--root', to] : [from, to];
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', '--name-status', ...range];
  const repository = topOf(top, env);
  const listed = repository && (await tryGit(repository, args));
  const parts = (listed ?? '').split('\0');
  const found: { path: string; isNew: boolean }[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) found.push({ path: parts[at + 1] ?? '', isNew: parts[at] === 'A' });
  return found;
}

/** Merges the files that the stream named with those that git saw; git decides whether a file is new. */
export function mergeFiles(
  workingDirectory: string,
  tally: Tally,
  seen: Changes | undefined,
  ignored: readonly string[],
): Changes {
  const absolute = (paths: readonly string[]) => paths.map((path) => resolve(workingDirectory, path));
  const created = new Set(seen?.created);
  const edited = new Set(seen?.edited);
  for (const path of absolute(tally.created)) if (!edited.has(path)) created.add(path);
  for (const path of absolute(tally.edited)) if (!created.has(path)) edited.add(path);
  const show = (paths: Iterable<string>) =>
    [...paths]
      .filter((path) => !ignored.includes(path))
      .map((path) => {
        const inside = relative(workingDirectory, path);
        return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
      })
      .toSorted((a, b) => (a < b ? -1 : 1));
  return { created: show(created), edited: show(edited) };
}
