import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, constants, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readBytes } from '../machine/regular-file.ts';
import { configText, isProgram, keyOf, listConfig } from './git-config.ts';

// Changes to folders that a process in the sandbox can change at the same time. Paths are bytes, one per character.

export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

/** O_PATH: Linux opens even an unreadable folder with it. */
const pathOnly = 0o10000000;

/**
 * Acts in a folder that is opened from `root` step by step and never through a link: otherwise a process inside could make us
 * change the person's files, by placing a link at the right moment. macOS has no such paths and no protection against that.
 */
function inFolder<T>(root: string, folder: string, act: (held: string) => T): T {
  if (process.platform !== 'linux') return act(folder);
  const flags = pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let held = openSync(bytesOf(root), flags);
  try {
    for (const name of relative(root, folder)
      .split('/')
      .filter((one) => one !== '')) {
      const next = openSync(bytesOf(`/proc/self/fd/${held}/${name}`), flags);
      closeSync(held);
      held = next;
    }
    return act(`/proc/self/fd/${held}`);
  } finally {
    closeSync(held);
  }
}

export function openUp(root: string, folder: string): void {
  inFolder(root, folder, openHeld);
}

function openHeld(held: string): void {
  const { mode } = statSync(bytesOf(held));
  if ((mode & 0o700) !== 0o700) chmodSync(bytesOf(held), mode | 0o700);
}

/** Renames a file, a link or a folder, so that git does not find it. */
export function setAside(root: string, path: string): void {
  const name = basename(path);
  inFolder(root, dirname(path), (held) => {
    openHeld(held);
    const aside = `${name.slice(0, 100)}.sekisho-removed-${randomUUID().slice(0, 8)}`;
    renameSync(bytesOf(join(held, name)), bytesOf(join(held, aside)));
  });
}

/**
 * Renames the keys of a configuration that start programs, except those that `before` has with the same value. Returns their
 * names. A file that git cannot read is renamed as a whole, and so is any file if there is no git to ask.
 */
export async function disableConfig(
  root: string,
  path: string,
  before: string,
  git: string | undefined,
): Promise<readonly string[]> {
  const [folder, name] = [dirname(path), basename(path)];
  const read = inFolder(root, folder, (held) => {
    openHeld(held);
    return readBytes(bytesOf(join(held, name)));
  });
  const listed = 'fault' in read || git === undefined ? undefined : await listConfig(read.text, git);
  if (listed === undefined || git === undefined) {
    setAside(root, path);
    return [name];
  }
  const known = new Set(await listConfig(before, git));
  const disabled = listed.filter((entry) => isProgram(entry) && !known.has(entry));
  if (disabled.length === 0) return [];
  const text = configText(listed.map((entry) => (disabled.includes(entry) ? `sekisho-removed.${entry}` : entry)));
  inFolder(root, folder, (held) => {
    const fresh = bytesOf(join(held, `${name}.${randomUUID()}`));
    writeFileSync(fresh, text, { encoding: 'latin1', flag: 'wx', mode: 0o644 });
    renameSync(fresh, bytesOf(join(held, name)));
  });
  return [...new Set(disabled.map(keyOf))];
}
