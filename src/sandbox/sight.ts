import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBelow } from '../base/path.ts';
import { readRegular } from '../machine/regular-file.ts';

export type Kind = 'folder' | 'file' | 'link' | 'socket' | 'other';

/** A profile's view of the file system. Paths that this user may not inspect do not exist in it. */
export interface Sight {
  /** The kind of a path. Links are not followed. */
  kindOf(path: string): Kind | undefined;
  list(folder: string): readonly string[];
  linkAt(path: string): string;
  read(path: string): string | undefined;
  realPath(path: string): string;
  /** The paths of Unix sockets that have a listener. */
  sockets(): readonly string[];
}

export const realSight: Sight = {
  kindOf(path) {
    try {
      const found = lstatSync(path);
      if (found.isDirectory()) return 'folder';
      if (found.isFile()) return 'file';
      if (found.isSymbolicLink()) return 'link';
      return found.isSocket() ? 'socket' : 'other';
    } catch {
      return undefined; // It does not exist, or cannot be inspected.
    }
  },
  list(folder) {
    try {
      return readdirSync(folder).toSorted();
    } catch {
      return [];
    }
  },
  linkAt: (path) => readlinkSync(path),
  read(path) {
    const found = readRegular(path);
    return 'text' in found ? found.text : undefined;
  },
  realPath(path) {
    try {
      return realpathSync(path);
    } catch {
      return path === dirname(path) ? path : join(realSight.realPath(dirname(path)), path.slice(dirname(path).length));
    }
  },
  sockets() {
    try {
      const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
      const paths = lines.map((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1]).filter((path) => path !== undefined);
      return [...new Set(paths)].toSorted();
    } catch {
      return []; // Not Linux.
    }
  },
};

/** The folders from one to the other, without the first. */
export function foldersBetween(from: string, to: string): readonly string[] {
  return isBelow(to, from) ? [...foldersBetween(from, dirname(to)), to] : [];
}
