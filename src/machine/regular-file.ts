import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** The largest file that is read: far above what people write by hand. */
export const mostBytes = 1024 * 1024;

/** Why a path was not read: `irregular` is a folder, a pipe or a device; other words are the system's error codes. */
export type ReadFault = 'irregular' | 'large' | (string & {});

export type ReadResult = { readonly text: string } | { readonly fault: ReadFault };

/** Reads a small regular file. Never blocks: there can be a pipe in its place that nothing writes to. */
export function readRegular(path: string): ReadResult {
  return readWith(path, 0, 'utf8');
}

/** Reads a small regular file by a path in bytes, as Latin 1: one character per byte. A link is not followed. */
export function readBytes(path: Buffer): ReadResult {
  return readWith(path, constants.O_NOFOLLOW, 'latin1');
}

function readWith(path: string | Buffer, flags: number, encoding: BufferEncoding): ReadResult {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
    const info = fstatSync(file);
    if (!info.isFile()) return { fault: 'irregular' };
    return info.size > mostBytes ? { fault: 'large' } : { text: readFileSync(file, encoding) };
  } catch (error) {
    return { fault: (error as NodeJS.ErrnoException).code ?? String(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
