import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isBelow } from '../../base/path.ts';

const mostBytes = 262_144;

/** Resolves a path and its symbolic links; undefined unless it is a file inside the project. */
export function projectFile(root: string, path: string): string | undefined {
  try {
    const file = realpathSync(resolve(root, path));
    return isBelow(file, realpathSync(root)) && statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined; // The file does not exist.
  }
}

/** Reads lines from a byte offset. A line that runs past the page is left for the next call, unless it fills the whole page. */
export function readLines(
  file: string,
  from: number,
  limit: number,
): { readonly lines: readonly string[]; readonly next: number; readonly more: boolean } {
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    const buffer = Buffer.alloc(Math.max(0, Math.min(mostBytes, size - from)));
    const got = readSync(handle, buffer, 0, buffer.length, from);
    const isEnd = from + got >= size;
    const lines: string[] = [];
    let at = 0;
    while (at < got && lines.length < limit) {
      const end = buffer.indexOf(10, at);
      if (end < 0 && !isEnd && lines.length > 0) break;
      const stop = end < 0 ? got : end;
      lines.push(buffer.toString('utf8', at, stop));
      at = Math.min(got, stop + 1);
    }
    return { lines, next: from + at, more: from + at < size };
  } finally {
    closeSync(handle);
  }
}
