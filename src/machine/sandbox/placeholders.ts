import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive, thisProcess } from '../identity.ts';
import { gitPlaces } from './git.ts';
import type { SandboxPlace } from './place.ts';
import { realSight } from './sight.ts';

/*
 * Empty folders and files that say nothing, in the project, for whatever the profile covers and does not find: an agent
 * cannot make those itself then. Sandboxes share them. Each has a folder with a record of what it needs and what it made,
 * named after its process; who removes something marks that first. Both look for the other only after they can be seen
 * themselves, so at least one of them sees the other, and then whoever removes gives way.
 */

const record = 'made.json';
const removing = 'removing-';
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
  readonly made: readonly Placeholder[];
}

/** Makes what is missing, and a folder in `all` of this sandbox alone. */
export function makePlaceholders(place: SandboxPlace, all: string): string {
  sweep(all);
  const keep = mkdtempSync(join(all, `${ownName()}-`));
  untilRemoved(all);
  const wanted = placeholders(place);
  const needs = wanted.map(({ path }) => path);
  const missing = wanted.filter(({ path }) => !existsSync(path));
  // Before they are made: what a killed process has made is known too.
  writeFileSync(join(keep, record), JSON.stringify({ needs, made: missing } satisfies Kept));
  for (const { path, text } of missing) make(path, text);
  return keep;
}

/** What was made stays for the sandbox that ends last of all that need it. */
export async function leavePlaceholders(keep: string): Promise<void> {
  const all = dirname(keep);
  const ended = join(all, `${nobody}-${basename(keep)}`);
  renameSync(keep, ended);
  for (const name of realSight.list(ended).filter((one) => one !== record))
    rmSync(join(ended, name), { recursive: true, force: true });
  // Its last processes may still be about to end.
  for (let tries = 0; tries < patience; tries++) {
    sweep(all);
    const made = readRecord(ended)?.made;
    if (made === undefined || isNeeded(all, made)) return;
    await pause(pauseMs);
  }
}

/** In the place of a process's number: it has ended. */
const nobody = 0;

function ownName(): string {
  const { pid, start } = thisProcess();
  return `${pid}-${start}`;
}

function isLiving(name: string): boolean {
  const [pid = '', start = ''] = name.split('-');
  return isAlive(Number(pid), start);
}

function isMark(name: string): boolean {
  return name.includes(`-${removing}`);
}

/** What sandboxes that have ended, or whose process was killed, have left. */
function sweep(all: string): void {
  const left = realSight.list(all).filter((name) => !isLiving(name));
  if (left.length === 0) return;
  const mark = mkdtempSync(join(all, `${ownName()}-${removing}`));
  try {
    for (const name of left) {
      const made = readRecord(join(all, name))?.made ?? [];
      // While another sandbox needs them, or has them covered, the record stays for later.
      if (!isNeeded(all, made) && remove(made)) rmSync(join(all, name), { recursive: true, force: true });
    }
  } finally {
    rmSync(mark, { recursive: true, force: true });
  }
}

function isNeeded(all: string, made: readonly Placeholder[]): boolean {
  if (made.length === 0) return false;
  const living = realSight.list(all).filter((name) => isLiving(name) && !isMark(name));
  return living.some((name) => {
    // One that was just begun has not said yet what it needs.
    const needs = readRecord(join(all, name))?.needs;
    return needs === undefined || made.some(({ path }) => needs.includes(path));
  });
}

/** Waits for whoever may have begun to remove before we could be seen; later ones see us. */
function untilRemoved(all: string): void {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const until = Date.now() + removerPatienceMs;
  for (const mark of realSight.list(all).filter(isMark)) {
    while (isLiving(mark) && existsSync(join(all, mark))) {
      if (Date.now() > until)
        throw new Error(`Process ${Number.parseInt(mark, 10)} does not end to tidy up after a sandbox.`);
      Atomics.wait(cell, 0, 0, 1);
    }
  }
}

function readRecord(folder: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, record), 'utf8')) as Kept;
  } catch {
    return undefined; // Just begun, being removed, or a mark.
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
  const git = gitPlaces(place.git, realSight);
  for (const path of git.folders) add(path, null);
  for (const [path, text] of Object.entries(git.files)) add(path, text);
  return [...found].map(([path, text]) => ({ path, text }));
}

function make(path: string, text: string | null): void {
  try {
    if (text === null) mkdirSync(path);
    else writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    // Another sandbox that begins now was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
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
  for (const name of realSight.list('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const view = realSight.linkAt(`/proc/${name}/ns/mnt`);
      if (seen.has(view)) continue;
      seen.add(view);
      for (const line of readFileSync(`/proc/${name}/mountinfo`, 'utf8').split('\n')) {
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
