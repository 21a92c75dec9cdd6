import { isAbsolute, join } from 'node:path';
import { pathsIn } from './allowed.ts';
import { gitPlaces, recordPlaces } from './git.ts';
import { type SandboxPlace, fixedPaths } from './place.ts';
import { privateFolders } from './prepare.ts';
import { backInRun, scratch } from './profile.ts';
import { isWithin } from '../base/path.ts';
import type { Sight } from './sight.ts';

/** The reasons why this project or program cannot be sandboxed on any machine. */
export type Refusal =
  /** The project is or contains the user's home: files that the user's programs load would be writable. */
  | { readonly reason: 'project-holds-home'; readonly path: string }
  | { readonly reason: 'project-in-data'; readonly path: string }
  /** Our own program is in a folder that the agent can write to: the agent's version of it would run. */
  | { readonly reason: 'own-program-writable'; readonly path: string }
  /** A protected path is a link, which cannot be covered: the agent could replace it with a folder of its own. */
  | { readonly reason: 'protected-is-link'; readonly path: string }
  /** The program is in a folder that is empty inside. */
  | { readonly reason: 'program-hidden'; readonly path: string };

export function findRefusal(place: SandboxPlace, sight: Sight): Refusal | undefined {
  const { tree, home, data } = place;
  if (isWithin(home, tree)) return { reason: 'project-holds-home', path: tree };
  // Worktrees of agents are in the data folder, but not in its state.
  if (isWithin(data, tree) || isWithin(place.project, data)) return { reason: 'project-in-data', path: tree };
  const writable = [tree, ...(place.git === undefined ? [] : [place.git])];
  const own = place.own.find((path) => writable.some((folder) => isWithin(path, folder)));
  if (own !== undefined) return { reason: 'own-program-writable', path: own };
  const link = protectedPaths(place, sight).find((path) => sight.kindOf(path) === 'link');
  return link === undefined ? undefined : { reason: 'protected-is-link', path: link };
}

/** Refuses a program, given by its path, that would be hidden inside. */
export function findHiddenProgram(program: string | undefined, place: SandboxPlace, sight: Sight): Refusal | undefined {
  if (program === undefined || !isAbsolute(program)) return undefined;
  const caches = privateFolders.map((name) => join(place.home, name));
  const { home, project, tree, git = tree, own } = place;
  const shown = [project, tree, git, ...own, ...backInRun, ...pathsIn(place.allow, home)];
  const path = [program, sight.realPath(program)].find((one) => {
    const isIn = (folders: readonly string[]) => folders.some((folder) => isWithin(one, folder));
    return (isIn(caches) || (isIn(scratch) && !isWithin(one, home))) && !isIn(shown);
  });
  return path === undefined ? undefined : { reason: 'program-hidden', path };
}

/** The paths that are covered within writable folders, with the folders above them. */
function protectedPaths(place: SandboxPlace, sight: Sight): readonly string[] {
  const inTree = Object.values(place.clients).flatMap(({ project }) => fixedPaths(project));
  const steps = inTree.flatMap((path) => path.split('/').map((_, index, all) => all.slice(0, index + 1).join('/')));
  return [
    ...['.sekisho', '.git', ...steps].map((path) => join(place.tree, path)),
    ...fixedPaths(gitPlaces(place, sight)),
    ...fixedPaths(recordPlaces(place, sight)),
  ];
}
