import { existsSync, lstatSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { runProgram } from '../../machine/run-program.ts';
import type { Environment } from '../../base/environment.ts';
import type { Tally } from './stream-tally.ts';

const answerMs = 20_000;
const maxAnswerBytes = 64 * 1024 * 1024;

/** Runs git. Returns undefined if git fails: an agent's result must not fail because of it. */
export type Git = (cwd: string, args: readonly string[], withinMs?: number) => Promise<string | undefined>;

/**
 * Settings that keep git from running anything an agent wrote into a repository's configuration: hooks, monitors,
 * filters, remotes that fetch missing objects. The user's and the machine's configuration stay in effect (LFS is
 * there).
 */
const safeSettings: Readonly<Record<string, string>> = {
  'core.quotePath': 'off',
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'diff.external': '',
  'diff.ignoreSubmodules': 'all',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'commit.gpgSign': 'false',
  'protocol.allow': 'never',
};

/** Creates a git runner for trees that agents write to. */
export function createGit(env: Environment): Git {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  const environmentFor = (settings: Readonly<Record<string, string>>): Environment => ({
    ...own,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_TERMINAL_PROMPT: '0',
    // `-c` cannot be used: a filter's name may contain "=".
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  });
  return async (cwd, args, withinMs = answerMs) => {
    const list = ['config', '--list', '--show-scope', '--name-only', '-z'];
    const listed = await run(cwd, list, environmentFor(safeSettings), answerMs);
    return run(cwd, args, environmentFor({ ...safeSettings, ...withoutFilters(listed ?? '') }), withinMs);
  };
}

/** Builds settings that switch off, by name, each filter of the repository's own configuration. */
function withoutFilters(listed: string): Readonly<Record<string, string>> {
  const parts = listed.split('\0');
  const names = new Set<string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const name = /^filter\.(.+)\.\w+$/s.exec(parts[at + 1] ?? '')?.[1];
    if (name !== undefined && ['local', 'worktree'].includes(parts[at] ?? '')) names.add(name);
  }
  const off = { clean: '', smudge: '', process: '', required: 'false' };
  return Object.fromEntries(
    [...names].flatMap((name) => Object.entries(off).map(([key, value]) => [`filter.${name}.${key}`, value])),
  );
}

async function run(
  cwd: string,
  args: readonly string[],
  env: Environment,
  timeoutMs: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const tooMuch = new AbortController();
  const { exitCode } = await runProgram(['git', '--no-pager', ...args], {
    cwd,
    env,
    timeoutMs,
    signal: tooMuch.signal,
    onOutput: (chunk, stream) => {
      if (stream === 'stderr') return;
      size += chunk.length;
      if (size > maxAnswerBytes) tooMuch.abort();
      else chunks.push(chunk);
    },
  });
  return exitCode === 0 && !tooMuch.signal.aborted ? Buffer.concat(chunks).toString('utf8') : undefined;
}

/** Finds the work tree around a folder without starting git, which most folders do not need. */
export function workTreeOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

/** The files that differ from the last commit, and the state of each. */
export interface Snapshot {
  readonly top: string;
  readonly head: string | undefined;
  readonly files: ReadonlyMap<string, { readonly isNew: boolean; readonly look: string }>;
}

export async function takeSnapshot(git: Git, folder: string): Promise<Snapshot | undefined> {
  const top = workTreeOf(folder);
  if (top === undefined) return undefined;
  const [status, head] = await Promise.all([
    git(top, ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all']),
    git(top, ['rev-parse', '--verify', '--quiet', 'HEAD']),
  ]);
  if (status === undefined) return undefined;
  const files = new Map<string, { isNew: boolean; look: string }>();
  for (const item of status.split('\0')) {
    const path = item.slice(3);
    if (path !== '') files.set(path, { isNew: /^(\?\?|A)/.test(item), look: describeFile(join(top, path)) });
  }
  return { top, head: head?.trim(), files };
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
export async function changesSince(git: Git, before: Snapshot): Promise<Changes> {
  const after = await takeSnapshot(git, before.top);
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
    for (const { path, isNew } of await listCommitted(git, after.top, before.head, after.head))
      (isNew ? created : edited).add(path);
  const own = (path: string) => !path.startsWith('.sekisho/');
  const absolute = (paths: Iterable<string>) => [...paths].filter(own).map((path) => join(before.top, path));
  return { created: absolute(created), edited: absolute([...edited].filter((path) => !created.has(path))) };
}

async function listCommitted(git: Git, top: string, from: string | undefined, to: string) {
  const range = from === undefined ? ['--root', to] : [from, to];
  const listed = await git(top, ['diff-tree', '-r', '-z', '--no-renames', '--no-commit-id', '--name-status', ...range]);
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
