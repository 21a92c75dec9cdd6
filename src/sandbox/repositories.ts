import { randomUUID } from 'node:crypto';
import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { findProgram } from '../machine/find-program.ts';
import { readBytes } from '../machine/regular-file.ts';
import { bytesOf, disableConfig, openUp, setAside } from './disable.ts';
import type { SandboxPlace } from './place.ts';
import { isLiving, ownName } from './placeholders.ts';
import type { AppearedRepository } from './port.ts';
import { isWithin } from '../base/path.ts';
import { realSight } from './sight.ts';
import type { Environment } from '../base/environment.ts';

/*
 * Git repositories that are made or changed in a sandbox. Git outside runs programs from their configuration and hooks, as soon
 * as a person asks for the project's status. So the repositories are recorded before a program starts in the sandbox and
 * compared when it has ended. If the process that started it was killed, the next one in the project does that.
 *
 * Programs inside choose the names, which need not be valid text: paths are bytes, one per character.
 */

export interface RepositoryWatch {
  /** The agent or session that runs in the sandbox. */
  readonly by: string;
  readonly env: Environment;
  /** Reports findings, also those of earlier sandboxes whose process was killed. */
  report(found: readonly AppearedRepository[], by: string): Promise<void>;
}

type Area = Pick<SandboxPlace, 'tree' | 'git' | 'record'>;

/** A part of a repository that can make git run a program. */
interface Part {
  /** `way`: a file that leads git to another folder. */
  readonly kind: 'config' | 'hook' | 'way';
  readonly repository: string;
  /** The text of a configuration, the target of a way, the stamp of a hook. */
  readonly look: string;
}

interface Seen {
  readonly repositories: readonly string[];
  readonly parts: Readonly<Record<string, Part>>;
}

/** The most repositories in a report. All of them are disabled. */
const mostReported = 100;

interface Note {
  readonly area: Area;
  readonly by: string;
  readonly before: Seen;
}

/** Records the repositories out of the sandbox's reach. Call the function that it returns when all processes have ended. */
export async function watchRepositories(
  place: SandboxPlace,
  state: string,
  watch: RepositoryWatch,
): Promise<() => Promise<void>> {
  await settleRepositories(state, watch);
  if (place.readOnly === true) return () => Promise.resolve();
  const area = { tree: place.tree, git: place.git, record: place.record };
  const note: Note = { area, by: watch.by, before: await inspect(area) };
  const folder = notesIn(state);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${ownName()}-${randomUUID()}`);
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
  return () => settle(file, watch);
}

/** Compares the repositories for processes that were killed before they could. */
export async function settleRepositories(state: string, watch: Omit<RepositoryWatch, 'by'>): Promise<void> {
  const folder = notesIn(state);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((one) => !isLiving(one))) {
    const file = join(folder, `${ownName()}-${randomUUID()}`);
    try {
      renameSync(join(folder, name), file);
    } catch {
      continue; // Another process was faster.
    }
    await settle(file, watch);
  }
}

function notesIn(state: string): string {
  return join(state, 'repositories');
}

async function settle(file: string, { env, report }: Omit<RepositoryWatch, 'by'>): Promise<void> {
  const note = readNote(file);
  const found = note === undefined ? [] : await disableNew(note, env);
  rmSync(file, { force: true });
  if (note !== undefined && found.length > 0) await report(found, note.by);
}

function readNote(file: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Note;
  } catch {
    return undefined; // Its process was killed while writing it, before it started anything.
  }
}

async function disableNew({ area, before }: Note, env: Environment): Promise<readonly AppearedRepository[]> {
  const roots = rootsOf(area);
  const git = gitProgram(roots, env);
  const now = await inspect(area, (folder) => openUp(rootAbove(roots, folder), folder));
  const found = new Map<string, { disabled: string[]; failed: string[] }>();
  const at = (repository: string) => {
    const there = found.get(repository) ?? { disabled: [], failed: [] };
    found.set(repository, there);
    return there;
  };
  const known = new Set(before.repositories);
  for (const one of now.repositories) if (!known.has(one)) at(one);
  for (const [path, part] of Object.entries(now.parts)) {
    const was = before.parts[path];
    if (was?.look === part.look) continue;
    const name = relative(part.repository, path);
    try {
      const disabled = await disablePart(roots, path, part, was, git);
      if (disabled.length > 0) at(part.repository).disabled.push(...disabled);
    } catch {
      at(part.repository).failed.push(name);
    }
  }
  const inOrder = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return inOrder
    .slice(0, mostReported)
    .map(([repository, { disabled, failed }]) => ({
      path: shownPath(area, repository),
      disabled: disabled.slice(0, mostReported).map(asText),
      failed: failed.slice(0, mostReported).map(asText),
    }));
}

async function disablePart(
  roots: readonly string[],
  path: string,
  { kind, look: state, repository }: Part,
  was: Part | undefined,
  git: string | undefined,
): Promise<readonly string[]> {
  const root = rootAbove(roots, path);
  if (kind === 'config') return disableConfig(root, path, was?.look ?? '', git);
  // A target within the roots is checked on its own.
  if (kind === 'way' && roots.some((one) => isWithin(state, one))) return [];
  setAside(root, path);
  return [relative(repository, path)];
}

/** The git program. One in the project is not used: `node_modules/.bin` is in the PATH of programs that npm starts. */
function gitProgram(roots: readonly string[], env: Environment): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const outside = folders.filter((one) => !roots.some((root) => isWithin(latin(realSight.realPath(one)), root)));
  return findProgram('git', outside.join(delimiter), '/');
}

/** The folders that are writable inside and persist. A worktree's git folder is in the main checkout. */
function rootsOf({ tree, git, record }: Area): readonly string[] {
  const other = git === undefined || isWithin(git, tree) ? [] : [git];
  return [tree, ...other, ...(record === undefined ? [] : [record])].map(latin);
}

function rootAbove(roots: readonly string[], path: string): string {
  return roots.find((one) => isWithin(path, one)) ?? '/';
}

/** Finds repositories and their parts. It calls `barred` with a folder that cannot be read. */
async function inspect(area: Area, barred: (folder: string) => void = () => undefined): Promise<Seen> {
  const { tree, git, record } = area;
  // These are covered inside with everything in them.
  const covered = [git, record, join(tree, '.git')].flatMap((one) => (one === undefined ? [] : [latin(one)]));
  const records = git === undefined ? undefined : latin(join(git, 'worktrees'));
  const repositories: string[] = [];
  const parts: Record<string, Part> = {};
  const visit = async (folder: string, hooksOf?: string): Promise<void> => {
    const entries = await listed(folder, barred);
    const isHere = !covered.includes(folder) && isRepository(folder, entries);
    if (isHere) repositories.push(folder);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const kind = hooksOf === undefined ? kindOf(entry, isHere) : kindOfHook(entry);
      if (kind !== undefined && !covered.includes(path))
        parts[path] = { kind, repository: hooksOf ?? folder, look: stateOf(kind, path) };
    }
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
    const inside = folders.filter((one) => one !== records);
    await Promise.all(inside.map((one) => visit(one, isHere && isHooks(basename(one)) ? folder : undefined)));
  };
  await Promise.all(rootsOf(area).map((root) => visit(root)));
  return { repositories, parts };
}

async function listed(folder: string, barred: (folder: string) => void): Promise<readonly Dirent[]> {
  const list = () => readdir(bytesOf(folder), { withFileTypes: true, encoding: 'latin1' });
  try {
    return await list();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return []; // It is gone.
  }
  try {
    barred(folder);
    return await list();
  } catch {
    return []; // It is another user's, so programs inside could not write there.
  }
}

/** Whether a name is `.git`, in any case: some file systems ignore case. */
function isGit(name: string): boolean {
  return name.toLowerCase() === '.git';
}

function isRepository(folder: string, entries: readonly Dirent[]): boolean {
  const has = (name: string) => entries.some((entry) => entry.name.toLowerCase() === name);
  return isGit(basename(folder)) || (has('head') && (has('objects') || has('commondir')));
}

function isHooks(name: string): boolean {
  return name.toLowerCase() === 'hooks';
}

/** The kind of part that an entry of a folder is; undefined for others. */
function kindOf(entry: Dirent, inRepository: boolean): Part['kind'] | undefined {
  const name = entry.name.toLowerCase();
  if (isGit(name) && !entry.isDirectory()) return 'way';
  if (!inRepository) return undefined;
  if (name === 'commondir') return 'way';
  if (name === 'config' || name === 'config.worktree') return 'config';
  return isHooks(name) && !entry.isDirectory() ? 'hook' : undefined;
}

function kindOfHook({ name }: Dirent): 'hook' | undefined {
  return name.endsWith('.sample') ? undefined : 'hook';
}

function stateOf(kind: Part['kind'], path: string): string {
  if (kind === 'hook') return stampOf(path);
  if (kind === 'way') return targetOf(path) ?? stampOf(path);
  const read = readBytes(bytesOf(path));
  return 'text' in read ? read.text : stampOf(path);
}

/** A stamp that changes with the file. A user can set its other times, but not `ctime`. */
function stampOf(path: string): string {
  const found = lstatSync(bytesOf(path), { throwIfNoEntry: false });
  return `${found?.ino} ${found?.size} ${found?.ctimeMs}`;
}

/**
 * The real path that a link, a `.git` file or a `commondir` leads to; undefined if that is not clear. The system resolves it:
 * `link/..` is not the folder of the link.
 */
function targetOf(path: string): string | undefined {
  try {
    if (lstatSync(bytesOf(path)).isSymbolicLink()) return realPath(path);
    const read = readBytes(bytesOf(path));
    const text = 'text' in read ? read.text.replace(/[\r\n]+$/, '') : '';
    const named = isGit(basename(path)) ? /^gitdir: (.+)$/s.exec(text)?.[1] : text;
    if (named === undefined || /^$|[\0\r\n]/.test(named)) return undefined;
    return realPath(named.startsWith('/') ? named : `${dirname(path)}/${named}`);
  } catch {
    return undefined; // It leads nowhere.
  }
}

function realPath(path: string): string {
  return realpathSync.native(bytesOf(path), 'latin1');
}

function latin(path: string): string {
  return Buffer.from(path).toString('latin1');
}

/** A path as text, without control characters: a name can contain line breaks that imitate our own messages. */
function asText(path: string): string {
  return bytesOf(path)
    .toString('utf8')
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

function shownPath({ tree }: Area, repository: string): string {
  const folder = isGit(basename(repository)) ? dirname(repository) : repository;
  return asText(isWithin(folder, latin(tree)) ? relative(latin(tree), folder) || '.' : folder);
}
