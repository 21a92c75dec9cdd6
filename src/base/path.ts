import { sep } from 'node:path';

/** Whether a path lies below a folder. Both are absolute and normalized. */
export function isBelow(path: string, folder: string): boolean {
  return path !== folder && path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}
