import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

export interface Change {
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** Pending changes of files, to be shown or to be made together. */
export type Draft = ReturnType<typeof openDraft>;

export function openDraft() {
  const changed = new Map<string, Buffer | undefined>();
  const found = new Map<string, Buffer | undefined>();
  const before = (path: string) => {
    if (!found.has(path)) found.set(path, existsSync(path) ? readFileSync(path) : undefined);
    return found.get(path);
  };
  return {
    before,
    read: (path: string) => (changed.has(path) ? changed.get(path) : before(path)),
    write: (path: string, content: Buffer | undefined) => void changed.set(path, content),
    changes: (): readonly Change[] =>
      [...changed]
        .map(([path, after]) => ({ path, before: before(path), after }))
        .filter(({ before: was, after }) =>
          was === undefined || after === undefined ? was !== after : !was.equals(after),
        ),
  };
}

export function makeChange({ path, after }: Change): void {
  if (after === undefined) rmSync(path, { force: true });
  else replaceFile(path, after);
}

/** Replaces a file atomically: the client may read it at any moment, and much of its content may not be ours. */
function replaceFile(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  // Some people keep these files elsewhere and link to them.
  const real = existsSync(path) ? realpathSync(path) : path;
  const draft = `${real}.${process.pid}.new`;
  const mode = existsSync(real) ? statSync(real).mode & 0o777 : undefined;
  writeFileSync(draft, content);
  if (mode !== undefined) chmodSync(draft, mode);
  renameSync(draft, real);
}

/** The folders that must be created for a file, outermost last. */
export function missingFolders(path: string): readonly string[] {
  const folder = dirname(path);
  return existsSync(folder) ? [] : [folder, ...missingFolders(folder)];
}

export function removeFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    // The folder is not empty, or already gone.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
