import { join } from 'node:path';
import type { Sight } from './sight.ts';

const depth = 4;

/**
 * Of git's own folder: what makes git start a program. Submodules have folders like it in there, and git outside looks
 * into theirs too.
 */
export function gitPlaces(
  git: string | undefined,
  sight: Sight,
): { readonly folders: readonly string[]; readonly files: readonly string[] } {
  if (git === undefined) return { folders: [], files: [] };
  const all = [git, ...submodules(join(git, 'modules'), sight, depth)];
  return {
    folders: all.map((one) => join(one, 'hooks')),
    // Empty where it does not exist: git then reads an empty one.
    files: all.flatMap((one) => [join(one, 'config'), join(one, 'config.worktree')]),
  };
}

function submodules(folder: string, sight: Sight, left: number): readonly string[] {
  if (left === 0 || sight.kindOf(folder) !== 'folder') return [];
  return sight.list(folder).flatMap((name) => {
    const path = join(folder, name);
    if (sight.kindOf(path) !== 'folder') return [];
    // A submodule `a/b` is in a folder of its own below `a`, which is none.
    if (sight.kindOf(join(path, 'HEAD')) === 'file')
      return [path, ...submodules(join(path, 'modules'), sight, left - 1)];
    return submodules(path, sight, left - 1);
  });
}
