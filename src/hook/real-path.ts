import { lstatSync, readlinkSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** Returns a link's target, null for anything else that exists, undefined if nothing does. */
export type ReadLink = (path: string) => string | null | undefined;

/** The kernel's limit: a path with more links cannot be opened. */
const maxLinks = 40;
const maxPathLength = 4096;

/** Returns the path that a write would reach: links are followed, even dangling ones, in linear time. */
export function realPath(path: string, look: ReadLink = lookAt): string {
  let done = resolve(path);
  if (done.length > maxPathLength) return done;
  let parts = done.split(sep);
  done = parts[0] ?? '';
  let index = 1;
  let links = 0;
  while (index < parts.length) {
    const next = `${done}${sep}${parts[index] ?? ''}`;
    const target = look(next);
    if (target === undefined) break;
    index++;
    if (target === null) {
      done = next;
      continue;
    }
    if (++links > maxLinks) break;
    parts = [...resolve(done || sep, target).split(sep), ...parts.slice(index)];
    if (parts.length > maxPathLength) break;
    done = parts[0] ?? '';
    index = 1;
  }
  return [done, ...parts.slice(index)].filter((one, at) => at === 0 || one !== '').join(sep) || sep;
}

function lookAt(path: string): string | null | undefined {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined ? undefined : found.isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return undefined; // Below a file, or not readable for us: then not writable either.
  }
}
