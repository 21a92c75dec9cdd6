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
  /** Undefined: it is not there. */
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

/** Changes of files that nobody has made yet: to be shown, or to be made all together. */
export interface Draft {
  /** As it would be. */
  read(path: string): Buffer | undefined;
  write(path: string, content: Buffer | undefined): void;
  /** As it is. */
  before(path: string): Buffer | undefined;
  changes(): readonly Change[];
}

export function openDraft(): Draft {
  const changed = new Map<string, Buffer | undefined>();
  const found = new Map<string, Buffer | undefined>();
  const before = (path: string) => {
    if (!found.has(path)) found.set(path, existsSync(path) ? readFileSync(path) : undefined);
    return found.get(path);
  };
  return {
    before,
    read: (path) => (changed.has(path) ? changed.get(path) : before(path)),
    write: (path, content) => void changed.set(path, content),
    changes: () =>
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

/** At once: the client may read it at any moment, and some of these files hold much that is not ours. */
function replaceFile(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  // Some keep these files elsewhere and link to them.
  const real = existsSync(path) ? realpathSync(path) : path;
  const draft = `${real}.${process.pid}.new`;
  const mode = existsSync(real) ? statSync(real).mode & 0o777 : undefined;
  writeFileSync(draft, content);
  if (mode !== undefined) chmodSync(draft, mode);
  renameSync(draft, real);
}

/** The folders that would have to be made for a file, the outermost last. */
export function missingFolders(path: string): readonly string[] {
  const folder = dirname(path);
  return existsSync(folder) ? [] : [folder, ...missingFolders(folder)];
}

/** Where nothing is in it any more. */
export function removeFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    // Somebody put something there, or took it away.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
