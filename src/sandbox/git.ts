import { join, resolve } from 'node:path';
import type { Fixed, SandboxPlace } from './place.ts';
import { isWithin } from '../base/path.ts';
import type { Sight } from './sight.ts';

const depth = 4;

/** Files of git's own folder, with texts for placeholders. `commondir` could lead git to another folder's configuration. */
const files = { config: '', 'config.worktree': '', commondir: '.\n' };

/** Files of a worktree's record, which lead git to the repository, to the worktree and to further configuration. */
const recordFiles = { commondir: '../..\n', gitdir: '', 'config.worktree': '' };

type GitPlace = Pick<SandboxPlace, 'git' | 'record'>;

/** The `.git` files of other worktrees in the tree. They lead git to their records, and must lead nowhere else. */
export function pointerFiles({ git, tree }: Pick<SandboxPlace, 'git' | 'tree'>, sight: Sight): readonly string[] {
  if (git === undefined) return [];
  const records = join(git, 'worktrees');
  const found = sight.list(records).flatMap((name) => {
    const named = sight.read(join(records, name, 'gitdir'))?.trim();
    return named === undefined || named === '' ? [] : [sight.realPath(resolve(records, name, named))];
  });
  return found.filter((path) => path !== join(tree, '.git') && isWithin(path, tree) && sight.kindOf(path) === 'file');
}

/**
 * The parts of git's own folder that can make git start a program or look elsewhere. It contains a similar folder for each
 * submodule, which git outside reads too. The records of worktrees are covered as one folder, so a worktree that is added
 * outside while the sandbox runs is covered as well.
 */
export function gitPlaces({ git }: GitPlace, sight: Sight): Fixed {
  if (git === undefined) return noPlaces;
  const repositories = repositoryPlaces([git, ...submodules(join(git, 'modules'), sight, depth)]);
  return { ...repositories, folders: [...repositories.folders, join(git, 'worktrees')] };
}

/** The corresponding parts of the current worktree's record. The rest of it is writable: a commit moves its HEAD. */
export function recordPlaces({ record }: GitPlace, sight: Sight): Fixed {
  if (record === undefined) return noPlaces;
  const { folders, files: inModules } = repositoryPlaces(submodules(join(record, 'modules'), sight, depth));
  const own = Object.entries(recordFiles).map(([name, text]) => [join(record, name), text]);
  return { folders, files: { ...Object.fromEntries(own), ...inModules } };
}

const noPlaces: Fixed = { folders: [], files: {} };

function repositoryPlaces(repositories: readonly string[]): Fixed {
  return {
    folders: repositories.map((one) => join(one, 'hooks')),
    files: Object.fromEntries(
      repositories.flatMap((one) => Object.entries(files).map(([name, text]) => [join(one, name), text])),
    ),
  };
}

function submodules(folder: string, sight: Sight, left: number): readonly string[] {
  if (left === 0 || sight.kindOf(folder) !== 'folder') return [];
  return sight.list(folder).flatMap((name) => {
    const path = join(folder, name);
    if (sight.kindOf(path) !== 'folder') return [];
    // A submodule `a/b` has its folder below `a`, which is not a repository itself.
    if (sight.kindOf(join(path, 'HEAD')) === 'file')
      return [path, ...submodules(join(path, 'modules'), sight, left - 1)];
    return submodules(path, sight, left - 1);
  });
}
