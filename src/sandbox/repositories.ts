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
import { isWithin } from '../base/path.ts';
import { realSight } from './sight.ts';
import type { Environment } from '../base/environment.ts';

/*
 * Git repositories that somebody makes or changes inside. Git outside starts what their configuration and their hooks say,
 * as soon as a person asks for the status of the project. So what is there is noted before a program starts in the sandbox,
 * and looked at again when it has ended; where the process that started it was killed, the next one in the project looks.
 *
 * Whoever is inside chooses names, and they need not be text: paths are bytes, one in each character.
 */

/** A repository that is new, or in which something was disabled. */
export interface FoundRepository {
  /** Below the tree, or absolute. */
  readonly path: string;
  /** Keys of its configuration, hooks, and files that lead git elsewhere. All of it is kept, under another name. */
  readonly disabled: readonly string[];
  /** What should have been disabled, and could not be. */
  readonly failed: readonly string[];
}

export interface RepositoryWatch {
  /** Whose doing it is: an agent, a session. */
  readonly by: string;
  readonly env: Environment;
  /** Also hears what an earlier one found nobody to tell. */
  report(found: readonly FoundRepository[], by: string): Promise<void>;
}

type Area = Pick<SandboxPlace, 'tree' | 'git' | 'record'>;

interface Part {
  /** `way`: it leads git to another folder. */
  readonly kind: 'config' | 'hook' | 'way';
  readonly repository: string;
  /** A configuration's text, the folder that a way leads to, the stamp of anything else. */
  readonly look: string;
}

interface Seen {
  readonly repositories: readonly string[];
  readonly parts: Readonly<Record<string, Part>>;
}

/** Of thousands that somebody made, people need not be told each. All of them are disabled. */
const mostTold = 100;

interface Note {
  readonly area: Area;
  readonly by: string;
  readonly before: Seen;
}

/**
 * Notes what is there, in the project's state folder, which nobody inside can reach. What it returns is called when all has
 * ended.
 */
export async function watchRepositories(
  place: SandboxPlace,
  state: string,
  watch: RepositoryWatch,
): Promise<() => Promise<void>> {
  await settleRepositories(state, watch);
  if (place.readOnly === true) return () => Promise.resolve();
  const area = { tree: place.tree, git: place.git, record: place.record };
  const note: Note = { area, by: watch.by, before: await look(area) };
  const folder = notesIn(state);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${ownName()}-${randomUUID()}`);
  writeFileSync(file, JSON.stringify(note), { mode: 0o600 });
  return () => settle(file, watch);
}

/** Looks in the place of processes that were killed before they could. */
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
    return undefined; // Whoever wrote it was killed meanwhile, and had not started anything.
  }
}

async function disableNew({ area, before }: Note, env: Environment): Promise<readonly FoundRepository[]> {
  const roots = rootsOf(area);
  const git = gitProgram(roots, env);
  const now = await look(area, (folder) => openUp(rootAbove(roots, folder), folder));
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
  return inOrder.slice(0, mostTold).map(([repository, { disabled, failed }]) => ({
    path: shownPath(area, repository),
    disabled: disabled.slice(0, mostTold).map(asText),
    failed: failed.slice(0, mostTold).map(asText),
  }));
}

async function disablePart(
  roots: readonly string[],
  path: string,
  { kind, look: now, repository }: Part,
  was: Part | undefined,
  git: string | undefined,
): Promise<readonly string[]> {
  const root = rootAbove(roots, path);
  if (kind === 'config') return disableConfig(root, path, was?.look ?? '', git);
  // What is in there is looked at by itself.
  if (kind === 'way' && roots.some((one) => isWithin(now, one))) return [];
  setAside(root, path);
  return [relative(repository, path)];
}

/** Not one that lies in the project: `node_modules/.bin` is in the PATH of what npm starts. */
function gitProgram(roots: readonly string[], env: Environment): string | undefined {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const outside = folders.filter((one) => !roots.some((root) => isWithin(latin(realSight.realPath(one)), root)));
  return findProgram('git', outside.join(delimiter), '/');
}

/** All that is writable inside and stays. Of a worktree, git's own folder is the main checkout's. */
function rootsOf({ tree, git, record }: Area): readonly string[] {
  const other = git === undefined || isWithin(git, tree) ? [] : [git];
  return [tree, ...other, ...(record === undefined ? [] : [record])].map(latin);
}

function rootAbove(roots: readonly string[], path: string): string {
  return roots.find((one) => isWithin(path, one)) ?? '/';
}

/** `barred` is called with a folder that cannot be read. */
async function look(area: Area, barred: (folder: string) => void = () => undefined): Promise<Seen> {
  const { tree, git, record } = area;
  // Covered inside, with what is in them.
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
        parts[path] = { kind, repository: hooksOf ?? folder, look: lookOf(kind, path) };
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
    return []; // Another user's: nobody inside could write there.
  }
}

/** Also where the file system does not tell `.git` from `.GIT`. */
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

/** Of an entry of a repository, or of any other folder. */
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

function lookOf(kind: Part['kind'], path: string): string {
  if (kind === 'hook') return stampOf(path);
  if (kind === 'way') return targetOf(path) ?? stampOf(path);
  const read = readBytes(bytesOf(path));
  return 'text' in read ? read.text : stampOf(path);
}

/** A user can set a file's times, but not this one. */
function stampOf(path: string): string {
  const found = lstatSync(bytesOf(path), { throwIfNoEntry: false });
  return `${found?.ino} ${found?.size} ${found?.ctimeMs}`;
}

/**
 * Where a link, a `.git` file or a `commondir` leads in the end; undefined where that is not clear. As the system resolves
 * it: `link/..` is not the folder of the link.
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

/** A name may hold line breaks, to look like something that we say. */
function asText(path: string): string {
  return bytesOf(path)
    .toString('utf8')
    .replaceAll(/\p{Cc}/gu, '\uFFFD');
}

function shownPath({ tree }: Area, repository: string): string {
  const folder = isGit(basename(repository)) ? dirname(repository) : repository;
  return asText(isWithin(folder, latin(tree)) ? relative(latin(tree), folder) || '.' : folder);
}
