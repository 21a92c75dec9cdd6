import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startOf } from '../identity.ts';
import { gitPlaces } from './git.ts';
import type { Fixed, PreparedPlace, SandboxPlace } from './place.ts';
import { startedClient } from './place.ts';
import { realSight } from './sight.ts';

const seedBytes = 1024 * 1024;
const record = 'made.json';
const patience = 25;
const pauseMs = 20;

/**
 * Makes what the profile binds and does not find: empty folders and files that say nothing, in the project, so that an
 * agent cannot make those itself; and a folder of this sandbox alone. `tidy` removes both, or leaves the first to the
 * sandbox of the same project that ends last.
 */
export function prepare(place: SandboxPlace): { readonly place: PreparedPlace; tidy(): Promise<void> } {
  const all = join(place.data, 'sandbox');
  mkdirSync(all, { recursive: true, mode: 0o700 });
  sweep(all);
  const keep = mkdtempSync(join(all, `${process.pid}-`));
  const note = (made: readonly Made[]) =>
    writeFileSync(join(keep, record), JSON.stringify({ tree: place.tree, made } satisfies Kept));
  // Before anything is looked for: from here on nobody takes away what is there.
  note([]);
  note(makePlaceholders(place));
  const prepared = { ...place, keep };
  makeOwn(prepared);
  return {
    place: prepared,
    async tidy() {
      const ended = join(all, `${nobody}-${basename(keep)}`);
      mkdirSync(ended, { mode: 0o700 });
      copyFileSync(join(keep, record), join(ended, record));
      rmSync(keep, { recursive: true, force: true });
      // Its last processes may still be about to end.
      for (let tries = 0; tries < patience; tries++) {
        sweep(all);
        if (!existsSync(ended) || livingTrees(all).has(place.tree)) return;
        await pause(pauseMs);
      }
    },
  };
}

/** In the place of a process's number: it has ended. */
const nobody = 0;

interface Kept {
  readonly tree: string;
  readonly made: readonly Made[];
}

/** What sandboxes that have ended, or whose process was killed, have left. */
function sweep(folder: string): void {
  for (const name of realSight.list(folder).filter((one) => !isLiving(one))) {
    const { tree, made } = readRecord(join(folder, name));
    // While another sandbox needs them, or has them covered, the record stays for later.
    if (!livingTrees(folder).has(tree) && removePlaceholders(made))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function livingTrees(folder: string): ReadonlySet<string> {
  const living = realSight.list(folder).filter(isLiving);
  return new Set(living.map((name) => readRecord(join(folder, name)).tree));
}

function isLiving(name: string): boolean {
  return startOf(Number(name.split('-')[0])) !== undefined;
}

/** One that was just begun, or is being removed, has nothing to tell yet or any more. */
function readRecord(folder: string): Kept {
  try {
    return JSON.parse(readFileSync(join(folder, record), 'utf8')) as Kept;
  } catch {
    return { tree: '', made: [] };
  }
}

interface Made {
  readonly path: string;
  /** Null for a folder. */
  readonly text: string | null;
}

/** What has to be there in the project so that it can be covered. */
function makePlaceholders(place: SandboxPlace): readonly Made[] {
  const made: Made[] = [];
  const folder = (path: string): void => {
    if (existsSync(path)) return;
    folder(dirname(path));
    mkdirSync(path);
    made.push({ path, text: null });
  };
  const file = (path: string, text: string) => {
    if (existsSync(path)) return;
    folder(dirname(path));
    writeFileSync(path, text, { flag: 'wx' });
    made.push({ path, text });
  };
  folder(join(place.tree, '.sekisho'));
  for (const { project } of Object.values(place.clients)) {
    for (const path of project.folders) folder(join(place.tree, path));
    for (const [path, text] of Object.entries(project.files)) file(join(place.tree, path), text);
  }
  const git = gitPlaces(place.git, realSight);
  for (const path of git.folders) folder(path);
  for (const [path, text] of Object.entries(git.files)) file(path, text);
  return made;
}

/**
 * Only what is still as we made it. Nothing while any sandbox has one of them covered, which it then tells by false: a
 * folder that is removed outside takes the cover inside with it.
 */
function removePlaceholders(made: readonly Made[]): boolean {
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

function makeOwn(place: PreparedPlace): void {
  const mine = (path: string) => mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const name of privateFolders) mine(join(place.keep, 'home', name));
  mine(join(place.keep, 'void', 'folder'));
  for (const folder of startedClient(place)?.home ?? []) {
    const own = join(place.keep, 'home', folder.path);
    mine(own);
    // In a folder that is shown as it is, it must exist; at the top of the home the sandbox makes it.
    if (folder.path.includes('/')) mkdirSync(join(place.home, folder.path), { recursive: true });
    const real = folder.from ?? join(place.home, folder.path);
    for (const name of realSight.list(real)) {
      if (isFixed(folder.fixed, name) || folder.shared.includes(name)) continue;
      seed(join(real, name), join(own, name));
    }
    for (const [from, to] of Object.entries(folder.seeds)) seed(join(place.home, from), join(own, to));
    for (const [name, text] of Object.entries(folder.fixed.files))
      writeFileSync(voidFile(place, folder.path, name), text, { mode: 0o600 });
  }
}

function isFixed({ folders, files }: Fixed, name: string): boolean {
  return folders.includes(name) || Object.hasOwn(files, name);
}

/** Small files only: a client's history of gigabytes stays outside. */
function seed(from: string, to: string): void {
  const found = statSync(from, { throwIfNoEntry: false });
  if (found?.isFile() === true && found.size <= seedBytes) copyFileSync(from, to);
}

/** Of the home, with a folder of the sandbox's own in their place: what is cached inside is never loaded outside. */
export const privateFolders: readonly string[] = ['.npm', '.cache'];

export function voidFile(place: PreparedPlace, folder: string, name: string): string {
  return join(place.keep, 'void', `${folder}-${name}`.replaceAll('/', '-'));
}
