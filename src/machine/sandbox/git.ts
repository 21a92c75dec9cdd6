import { join } from 'node:path';
import type { Fixed } from './place.ts';
import type { Sight } from './sight.ts';

const depth = 4;

/** Files of git's own folder, and texts that say nothing. `commondir` would lead git to another folder's configuration. */
const files = { config: '', 'config.worktree': '', commondir: '.\n' };

/**
 * Of git's own folder: what makes git start a program. Submodules have folders like it in there, and git outside looks
 * into theirs too.
 */
export function gitPlaces(git: string | undefined, sight: Sight): Fixed {
  if (git === undefined) return { folders: [], files: {} };
  const all = [git, ...submodules(join(git, 'modules'), sight, depth)];
  return {
    folders: all.map((one) => join(one, 'hooks')),
    files: Object.fromEntries(
      all.flatMap((one) => Object.entries(files).map(([name, text]) => [join(one, name), text])),
    ),
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
