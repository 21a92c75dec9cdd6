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
 * Empty folders and files that say nothing, in the project, for whatever the profile covers and does not find: an agent
 * cannot make those itself then. Sandboxes share them. Each has a folder of its own, named after its process, with a record
 * of what it needs and what it found missing; who removes something makes a mark first. Both can be seen before they look
 * for the other, so at least one sees the other: a remover gives way to a beginner, and a beginner waits for a remover.
 */

const record = 'made.json';
/** In the place of a process's number: it has ended. */
const nobody = 0;
const mark = 'removing';
const patience = 25;
const pauseMs = 20;
const removerPatienceMs = 10_000;

interface Placeholder {
  readonly path: string;
  /** Null for a folder. */
  readonly text: string | null;
}

interface Kept {
  readonly needs: readonly string[];
  /** What was missing when it began. Another that began at the same time may have been the one to make it. */
  readonly made: readonly Placeholder[];
}

/** Makes what is missing, and a folder in `all` of this sandbox alone. */
export function makePlaceholders(place: SandboxPlace, all: string): string {
  sweep(all);
  const keep = mkdtempSync(join(all, `${ownName()}-`));
  try {
    untilRemoved(all);
    const wanted = placeholders(place);
    // Of a worktree's sandbox: what it covers of the main checkout, where that is there.
    const needs = [...wanted.map(({ path }) => path), join(place.project, '.sekisho')];
    const missing = wanted.filter(({ path }) => !existsSync(path));
    // Before they are made: what a killed process has made is known too.
    writeFileSync(join(keep, record), JSON.stringify({ needs, made: missing } satisfies Kept));
    for (const one of missing) make(one);
    return keep;
  } catch (error) {
    end(keep);
    throw error;
  }
}

/** What was missing goes with the last sandbox that needs it; the sandbox's own folder with its last process. */
export async function leavePlaceholders(keep: string): Promise<void> {
  end(keep);
  // Its last processes may still be about to end.
  for (let tries = 0; tries < patience && sweep(dirname(keep)); tries++) await pause(pauseMs);
}

/** From now on it is nobody's: whoever sweeps next removes it. */
function end(keep: string): void {
  try {
    renameSync(keep, join(dirname(keep), `${nobody}-${basename(keep)}`));
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Begins the names of what this process keeps beside that of others. */
export function ownName(): string {
  const { pid, start } = thisProcess();
  return `${pid}-${start}`;
}

/** Whether the process that such a name begins with still runs. */
export function isLiving(name: string): boolean {
  const [pid = '', start = ''] = name.split('-');
  const found = readProcess(Number(pid));
  // What cannot be read is there all the same.
  return found === undefined ? existsSync(`/proc/${pid}`) : !found.gone && found.start === start;
}

function isMark(name: string): boolean {
  return name.includes(`-${mark}-`);
}

/**
 * Removes what sandboxes that have ended, or whose process was killed, have left. Tells whether something stays for a reason
 * that may pass in a moment.
 */
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
      // While another sandbox needs them, or has them covered, the record stays for later.
      if (need === 'none' && remove(made)) rmSync(join(all, name, record), { force: true });
      else later ||= need !== 'known';
    }
  } finally {
    rmdirSync(own);
  }
  // Without the mark, for which others wait: an agent may have left much, and nothing of it is anybody's any more.
  for (const name of quiet) discard(join(all, name));
  return later;
}

/** As its process named it. */
function ownPart(name: string): string {
  return name.startsWith(`${nobody}-`) ? name.slice(`${nobody}-`.length) : name;
}

/** Of every process: those of a sandbox name its folder. Its owner's end is not yet theirs. */
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

/** `unknown`: one that was just begun has not said yet what it needs. */
function needOf(all: string, made: readonly Placeholder[]): 'none' | 'known' | 'unknown' {
  if (made.length === 0) return 'none';
  const living = readdirSync(all).filter((name) => isLiving(name) && !isMark(name));
  const needs = living.map((name) => readRecord(join(all, name))?.needs);
  if (needs.some((one) => made.some(({ path }) => one?.includes(path)))) return 'known';
  return needs.includes(undefined) ? 'unknown' : 'none';
}

/** Waits for whoever may have begun to remove before we could be seen; later ones see us. */
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

/** Undefined for one that was just begun or is being removed, and for a mark. */
function readRecord(folder: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, record), 'utf8')) as Kept;
  } catch (error) {
    if (isGone(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** All that has to be there so that it can be covered; the folders above a path come before it. */
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
    // Another sandbox that begins now may have been faster.
    if (realSight.kindOf(path) !== (text === null ? 'folder' : 'file')) throw error;
  }
}

/**
 * Only what is still as we made it. Nothing while any sandbox has one of them covered, which it then tells by false: a
 * folder that is removed outside takes the cover inside with it.
 */
function remove(made: readonly Placeholder[]): boolean {
  if (made.length === 0) return true;
  const covered = coveredPaths();
  if (made.some(({ path }) => covered.has(path))) return false;
  for (const { path, text } of made.toReversed()) {
    try {
      if (text === null) rmdirSync(path);
      else if (lstatSync(path).isFile() && readFileSync(path, 'utf8') === text) rmSync(path);
    } catch {
      // Something is in it by now, or it is gone: both are fine.
    }
  }
  return true;
}

/** Mount points in any process's view of the file system, as far as this user may see. */
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
        // Spaces and the like are written in octal.
        if (path !== undefined)
          found.add(path.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 8))));
      }
    } catch {
      // Another user's, or it ended.
    }
  }
  return found;
}

/** A sandbox's own folder, or all of it but the record. What cannot be removed now is in nobody's way. */
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
        // Tried again with the next sandbox.
      }
    }
  }
  try {
    if (!names.includes(record)) rmdirSync(folder);
  } catch {
    // Another one removes it too.
  }
}

/** Some caches are made of folders that nobody may write to. */
function unlock(folder: string): void {
  if (!lstatSync(folder).isDirectory()) return;
  chmodSync(folder, 0o700);
  for (const name of readdirSync(folder)) unlock(join(folder, name));
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
}
