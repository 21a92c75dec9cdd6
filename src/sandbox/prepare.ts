import { copyFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fixed, type PreparedPlace, type SandboxPlace, startedClient } from './place.ts';
import { leavePlaceholders, makePlaceholders } from './placeholders.ts';
import { realSight } from './sight.ts';

const seedBytes = 1024 * 1024;

/** Makes the files and folders that the profile binds and that are missing. `tidy` removes those that no other sandbox needs. */
export function prepare(place: SandboxPlace): { readonly place: PreparedPlace; readonly tidy: () => Promise<void> } {
  const all = join(place.data, 'sandbox');
  mkdirSync(all, { recursive: true, mode: 0o700 });
  const prepared = { ...place, keep: makePlaceholders(place, all) };
  const tidy = () => leavePlaceholders(prepared.keep);
  try {
    makeOwn(prepared);
  } catch (error) {
    tidy().catch(() => undefined); // The next sweep does it.
    throw error;
  }
  return { place: prepared, tidy };
}

function makeOwn(place: PreparedPlace): void {
  const mine = (path: string) => mkdirSync(path, { recursive: true, mode: 0o700 });
  for (const name of privateFolders) mine(join(place.keep, 'home', name));
  mine(join(place.keep, 'void', 'folder'));
  for (const folder of startedClient(place)?.home ?? []) {
    const own = join(place.keep, 'home', folder.path);
    mine(own);
    // In a folder that is mounted from outside it must exist; at the top of the home the sandbox creates it.
    if (folder.path.includes('/')) mkdirSync(join(place.home, folder.path), { recursive: true });
    const real = folder.from ?? join(place.home, folder.path);
    for (const name of realSight.list(real)) {
      if (isFixed(folder.fixed, name) || folder.shared.includes(name)) continue;
      seed(join(real, name), join(own, name));
    }
    for (const [from, to] of Object.entries(folder.seeds ?? {})) seed(join(place.home, from), join(own, to));
    for (const [name, text] of Object.entries(folder.fixed.files))
      writeFileSync(emptyFilePath(place, folder.path, name), text, { mode: 0o600 });
  }
  mine(join(place.keep, 'replaced'));
  for (const [path, text] of Object.entries(place.replaced ?? {}))
    writeFileSync(replacedFile(place, path), text, { mode: 0o600 });
}

function isFixed({ folders, files }: Fixed, name: string): boolean {
  return folders.includes(name) || Object.hasOwn(files, name);
}

/** Copies a small file. A client's history of gigabytes stays outside. */
function seed(from: string, to: string): void {
  const found = statSync(from, { throwIfNoEntry: false });
  if (found?.isFile() === true && found.size <= seedBytes) copyFileSync(from, to);
}

/** Folders of the home that the sandbox replaces with its own: files that are cached inside are never loaded outside. */
export const privateFolders: readonly string[] = ['.npm', '.cache'];

export function emptyFilePath(place: PreparedPlace, folder: string, name: string): string {
  return join(place.keep, 'void', `${folder}-${name}`.replaceAll('/', '-'));
}

export function replacedFile(place: PreparedPlace, path: string): string {
  return join(place.keep, 'replaced', path.replaceAll('/', '-'));
}
