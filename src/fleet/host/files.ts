import { isAbsolute, relative, resolve } from 'node:path';
import { type Tally, uniqueItems } from './stream-tally.ts';
import type { Changes } from './git.ts';

/**
 * Merges the files that the stream named with those that git saw, as paths from the working directory. Git decides
 * whether a file is new.
 */
export function mergeFiles(
  workingDirectory: string,
  tally: Tally,
  seen: Changes | undefined,
  ignored: readonly string[],
): Changes {
  const absolute = (paths: readonly string[]) => paths.map((path) => resolve(workingDirectory, path));
  const created = new Set(seen?.created);
  const edited = new Set(seen?.edited);
  for (const path of absolute(tally.created)) if (!edited.has(path)) created.add(path);
  for (const path of absolute(tally.edited)) if (!created.has(path)) edited.add(path);
  const show = (paths: Iterable<string>) =>
    uniqueItems(
      [...paths]
        .filter((path) => !ignored.includes(path))
        .map((path) => {
          const inside = relative(workingDirectory, path);
          return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
        }),
    ).toSorted((a, b) => (a < b ? -1 : 1));
  return { created: show(created), edited: show(edited) };
}
