import { copyFileSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gitPlaces } from './git.ts';
import type { SandboxPlace } from './place.ts';
import { realSight } from './sight.ts';

const seedBytes = 1024 * 1024;

/**
 * Makes what the profile binds and does not find: empty folders and files that say nothing, in the project, so that an
 * agent cannot make those itself; the sandbox's own folders in the data folder. Returns how to tidy up.
 */
export function prepare(place: SandboxPlace): () => void {
  const made = makePlaceholders(place);
  makeOwn(place);
  return () => removePlaceholders(made);
}

interface Made {
  readonly path: string;
  /** Undefined for a folder. */
  readonly text: string | undefined;
}

/** What has to be there in the project so that it can be covered. */
function makePlaceholders(place: SandboxPlace): readonly Made[] {
  const made: Made[] = [];
  const folder = (path: string): void => {
    if (existsSync(path)) return;
    folder(dirname(path));
    mkdirSync(path);
    made.push({ path, text: undefined });
  };
  const file = (path: string, text: string) => {
    if (existsSync(path)) return;
    folder(dirname(path));
    writeFileSync(path, text, { flag: 'wx' });
    made.push({ path, text });
  };
  folder(join(place.tree, '.sekisho'));
  for (const { project } of place.clients) {
    for (const path of project.folders) folder(join(place.tree, path));
    for (const [path, text] of Object.entries(project.files)) file(join(place.tree, path), text);
  }
  const git = gitPlaces(place.git, realSight);
  for (const path of git.folders) folder(path);
  for (const path of git.files) file(path, '');
  return made;
}

/**
 * Only what is still as we made it, and what no other sandbox has covered: a folder that is removed outside takes the
 * cover inside with it.
 */
function removePlaceholders(made: readonly Made[]): void {
  const covered = coveredPaths();
  for (const { path, text } of made.toReversed()) {
    if (covered.has(path)) continue;
    try {
      if (text === undefined) rmdirSync(path);
      else if (lstatSync(path).isFile() && readFileSync(path, 'utf8') === text) rmSync(path);
    } catch {
      // Something is in it by now, or it is gone: both are fine.
    }
  }
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
        if (path !== undefined) found.add(path.replaceAll(/\\(\d{3})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 8))));
      }
    } catch {
      // Another user's, or it ended.
    }
  }
  return found;
}

function makeOwn(place: SandboxPlace): void {
  const mine = (path: string) => mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const name of privateFolders) mine(join(place.keep, 'home', name));
  mine(join(place.keep, 'void', 'folder'));
  for (const client of place.clients.filter((one) => one.id === place.started))
    for (const folder of client.home) {
      const own = join(place.keep, 'home', folder.path);
      mine(own);
      // A file that was once covered has left an empty one behind.
      for (const name of readdirSync(own))
        if (lstatSync(join(own, name)).isFile() && statSync(join(own, name)).size === 0) rmSync(join(own, name));
      const real = join(place.home, folder.path);
      for (const name of realSight.list(real)) {
        if (Object.hasOwn(folder.fixed, name) || folder.shared.includes(name)) continue;
        seed(join(real, name), join(own, name));
      }
      for (const [from, to] of Object.entries(folder.seeds)) seed(join(place.home, from), join(own, to));
      for (const [name, kind] of Object.entries(folder.fixed))
        if (kind !== 'folder') writeFileSync(voidFile(place, client.id, name), kind.text, { mode: 0o600 });
    }
}

/** Small files only: a client's history of gigabytes stays outside. */
function seed(from: string, to: string): void {
  const found = statSync(from, { throwIfNoEntry: false });
  if (found?.isFile() === true && found.size <= seedBytes && !existsSync(to)) copyFileSync(from, to);
}

/** Of the home, with a folder of the sandbox's own in their place: what is cached inside is never loaded outside. */
export const privateFolders: readonly string[] = ['.npm', '.cache'];

export function voidFile(place: SandboxPlace, client: string, name: string): string {
  return join(place.keep, 'void', `${client}-${name.replaceAll('/', '-')}`);
}
