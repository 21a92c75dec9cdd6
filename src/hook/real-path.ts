import { lstatSync, readlinkSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** A link's target; null for anything else that is there; undefined where nothing is. */
export type Look = (path: string) => string | null | undefined;

/** As the kernel has it: a path that needs more is none. */
const mostLinks = 40;
const longest = 4096;

/**
 * Where a write to this path would end up: links are followed, also those that lead to nothing yet, and what does not exist
 * is taken as it is written. Each part is looked at once, so the work grows with the path and with nothing else.
 */
export function realPath(path: string, look: Look = lookAt): string {
  let done = resolve(path);
  if (done.length > longest) return done;
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
    if (++links > mostLinks) break;
    parts = [...resolve(done || sep, target).split(sep), ...parts.slice(index)];
    if (parts.length > longest) break;
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
    return undefined; // Below a file, or not ours to look at: then not ours to write either.
  }
}
