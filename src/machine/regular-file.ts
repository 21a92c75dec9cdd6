import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Far beyond what anybody writes by hand. */
export const mostBytes = 1024 * 1024;

/** Why a path gives no text: it is no file but a folder, a pipe, a device; it is too large; or the system’s own code. */
export type ReadFault = 'irregular' | 'large' | (string & {});

/** A file that somebody wrote by hand. Never waits: what stands in its place may be a pipe to which nobody writes. */
export function readRegular(path: string): { readonly text: string } | { readonly fault: ReadFault } {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const info = fstatSync(file);
    if (!info.isFile()) return { fault: 'irregular' };
    return info.size > mostBytes ? { fault: 'large' } : { text: readFileSync(file, 'utf8') };
  } catch (error) {
    return { fault: (error as NodeJS.ErrnoException).code ?? String(error) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
