import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { thisProcess } from '../machine/identity.ts';
import { processIds, readProcess } from '../machine/process-table.ts';
import { gitPlaces, recordPlaces } from './git.ts';
import type { SandboxPlace } from './place.ts';
import { realSight } from './sight.ts';

/*
 * Placeholders in the project: empty folders and neutral files for every path that the profile covers and that does not exist,
 * so that an agent cannot create it. Sandboxes share them. Each sandbox has a folder of its own, named after its process, with a
 * record of the paths that it needs and of those that were missing. A process that removes placeholders makes a mark first. Both
 * become visible before they look for the other, so at least one sees the other: a remover gives way to a sandbox that starts,
 * and a sandbox that starts waits for a remover.
 */

const record = 'made.json';
/** The process id in the name of a sandbox that has ended. */
const endedPid = 0;
const mark = 'removing';
const mostSweeps = 25;
const pauseMs = 20;
const removerPatienceMs = 10_000;

interface Placeholder {
  readonly path: string;
  /** Null for a folder. */
  readonly text: string | null;
}

interface Kept {
  readonly needs: readonly string[];
  /** The paths that were missing when it started. Another sandbox that started at the same time can have made them. */
  readonly made: readonly Placeholder[];
}

/** Makes missing placeholders, and a folder in `all` for this sandbox alone. Returns that folder. */
export function makePlaceholders(place: SandboxPlace, all: string): string {
  sweep(all);
  const keep = mkdtempSync(join(all, `${ownName()}-`));
  try {
    untilRemoved(all);
    const wanted = placeholders(place);
    // A worktree's sandbox also covers the main checkout's folder, if that exists.
    const needs = [...wanted.map(({ path }) => path), join(place.project, '.sekisho')];
    const missing = wanted.filter(({ path }) => !existsSync(path));
    // Recorded before they are made, so that those of a killed process are known.
    writeFileSync(join(keep, record), JSON.stringify({ needs, made: missing } satisfies Kept));
    for (const one of missing) make(one);
    return keep;
  } catch (error) {
    end(keep);
    throw error;
  }
}

/** Ends a sandbox. Placeholders are removed with the last sandbox that needs them, its own folder with its last process. */
export async function leavePlaceholders(keep: string): Promise<void> {
  end(keep);
  // Its last processes can still be running.
  for (let tries = 0; tries < mostSweeps && sweep(dirname(keep)); tries++) await pause(pauseMs);
}

/** Marks a sandbox as ended. The next sweep removes it. */
function end(keep: string): void {
  try {
    renameSync(keep, join(dirname(keep), `${endedPid}-${basename(keep)}`));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** The prefix of this process's folders and files among those of others. */
export function ownName(): string {
  const { pid, start } = thisProcess();
  return `${pid}-${start}`;
}

/** Whether the process in such a prefix still runs. */
export function isLiving(name: string): boolean {
  const [pid = '', start = ''] = name.split('-');
  const found = readProcess(Number(pid));
  // A process that cannot be read still runs.
  return found === undefined ? existsSync(`/proc/${pid}`) : !found.gone && found.start === start;
}

function isMark(name: string): boolean {
  return name.includes(`-${mark}-`);
}

/** Removes the leftovers of sandboxes that have ended. True if something remains for a reason that can pass in a moment. */
function sweep(all: string): boolean {
  const ended = readdirSync(all).filter((name) => !isLiving(name));
  if (ended.length === 0) return false;
  const lines = commandLines();
  const quiet = ended.filter((name) => !lines.some((line) => line.includes(ownPart(name))));
  const own = mkdtempSync(join(all, `${ownName()}-${mark}-`));
  let later = quiet.length < ended.length;
  try {
    for (const name of quiet) {
      const { made = [] } = readRecord(join(all, name)) ?? {};
      const need = needOf(all, made);
      // While another sandbox needs or covers them, the record stays for a later sweep.
      if (need === 'none' && remove(made)) rmSync(join(all, name, record), { force: true });
      else later ||= need !== 'known';
    }
  } finally {
    rmdirSync(own);
  }
  // After the mark is gone, since others wait for it: an agent can have left many files, which no one needs.
  for (const name of quiet) discard(join(all, name));
  return later;
}

function ownPart(name: string): string {
  return name.startsWith(`${endedPid}-`) ? name.slice(`${endedPid}-`.length) : name;
}

/** The command lines of all processes. Those of a sandbox name its folder, and can outlive its owner. */
function commandLines(): readonly string[] {
  return processIds().map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch (error) {
      if (isGone(error)) return '';
      throw error;
    }
  });
}

/** Whether a running sandbox needs these. `unknown`: one has just started and has no record yet. */
function needOf(all: string, made: readonly Placeholder[]): 'none' | 'known' | 'unknown' {
  if (made.length === 0) return 'none';
  const living = readdirSync(all).filter((name) => isLiving(name) && !isMark(name));
  const needs = living.map((name) => readRecord(join(all, name))?.needs);
  if (needs.some((one) => made.some(({ path }) => one?.includes(path)))) return 'known';
  return needs.includes(undefined) ? 'unknown' : 'none';
}

/** Waits for removers that may have started before we were visible. Later ones see us. */
function untilRemoved(all: string): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const until = performance.now() + removerPatienceMs;
  for (const one of readdirSync(all).filter(isMark)) {
    while (isLiving(one) && existsSync(join(all, one))) {
      if (performance.now() > until)
        throw new Error(`Process ${Number.parseInt(one, 10)} does not end to tidy up after a sandbox.`);
      Atomics.wait(cell, 0, 0, 1);
    }
  }
}

/** The record of a sandbox; undefined for one that has just started or is being removed, and for a mark. */
function readRecord(folder: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, record), 'utf8')) as Kept;
  } catch (error) {
    if (isGone(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The paths that must exist so that they can be covered; the folders above a path come before it. */
function placeholders(place: SandboxPlace): readonly Placeholder[] {
  const found = new Map<string, string | null>();
  const add = (path: string, text: string | null): void => {
    if (found.has(path)) return;
    if (dirname(path) !== path) add(dirname(path), null);
    found.set(path, text);
  };
  add(join(place.tree, '.sekisho'), null);
  for (const { project } of Object.values(place.clients)) {
    for (const path of project.folders) add(join(place.tree, path), null);
    for (const [path, text] of Object.entries(project.files)) add(join(place.tree, path), text);
  }
  for (const git of [gitPlaces(place, realSight), recordPlaces(place, realSight)]) {
    for (const path of git.folders) add(path, null);
    for (const [path, text] of Object.entries(git.files)) add(path, text);
  }
  return [...found].map(([path, text]) => ({ path, text }));
}

function make({ path, text }: Placeholder): void {
  try {
    if (text === null) mkdirSync(path);
    else writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    // Another sandbox that starts now can have been faster.
    if (realSight.kindOf(path) !== (text === null ? 'folder' : 'file')) throw error;
  }
}

/** Removes placeholders that are still as we made them, unless any sandbox covers one: its cover would go with the folder. */
function remove(made: readonly Placeholder[]): boolean {
  if (made.length === 0) return true;
  const covered = coveredPaths();
  if (made.some(({ path }) => covered.has(path))) return false;
  for (const { path, text } of made.toReversed()) {
    try {
      if (text === null) rmdirSync(path);
      else if (lstatSync(path).isFile() && readFileSync(path, 'utf8') === text) rmSync(path);
    } catch {
      // It is no longer empty, or it is gone: both are fine.
    }
  }
  return true;
}

/** The mount points of all mount namespaces that this user can see. */
function coveredPaths(): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const pid of processIds()) {
    try {
      const view = realSight.linkAt(`/proc/${pid}/ns/mnt`);
      if (seen.has(view)) continue;
      seen.add(view);
      for (const line of readFileSync(`/proc/${pid}/mountinfo`, 'utf8').split('\n')) {
        const path = line.split(' ')[4];
        // Spaces and some other characters are written in octal.
        if (path !== undefined)
          found.add(path.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 8))));
      }
    } catch {
      // The process is another user's, or it has ended.
    }
  }
  return found;
}

/** Removes a sandbox's own folder; if it has a record, everything but that. What cannot be removed now does no harm. */
function discard(folder: string): void {
  const names = realSight.list(folder);
  for (const path of names.filter((name) => name !== record).map((name) => join(folder, name))) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      try {
        unlock(path);
        rmSync(path, { recursive: true, force: true });
      } catch {
        // The next sandbox tries again.
      }
    }
  }
  try {
    if (!names.includes(record)) rmdirSync(folder);
  } catch {
    // Another process removes it too.
  }
}

/** Makes folders writable: some caches consist of read-only ones. */
function unlock(folder: string): void {
  if (!lstatSync(folder).isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) unlock(join(folder, name));
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
}
