import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Far beyond what anybody writes by hand. */
export const mostBytes = 1024 * 1024;

/** Why a path gives no text: it is no file but a folder, a pipe, a device; it is too large; or the system’s own code. */
export type ReadFault = 'irregular' | 'large' | (string & {});

export type Read = { readonly text: string } | { readonly fault: ReadFault };

/** A file that somebody wrote by hand. Never waits: what stands in its place may be a pipe to which nobody writes. */
export function readRegular(path: string): Read {
  return readWith(path, 0, 'utf8');
}

/** The same, of a path in bytes, as bytes, one in each character; a link is no file. */
export function readBytes(path: Buffer): Read {
  return readWith(path, constants.O_NOFOLLOW, 'latin1');
}

function readWith(path: string | Buffer, flags: number, encoding: BufferEncoding): Read {
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
