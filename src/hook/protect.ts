import { join, relative, sep } from 'node:path';
import { isBelow, isWithin } from '../base/path.ts';
import type { ToolUse } from '../fleet/agent-hook.ts';
import { type MovedFolder, agentClients } from '../fleet/agents.ts';
import { packagePath } from '../base/package.ts';
import { realPath } from './real-path.ts';
import { isFileWriter, visiblePaths } from './visible-paths.ts';

export interface ProtectedPlace {
  /** The user's data folder: state, and the program that hooks start. */
  readonly data: string;
  readonly project: readonly string[];
  /** Folders from which a client reads its settings: the project, its worktree, the user's home. */
  readonly bases: readonly string[];
  readonly moved: readonly MovedFolder[];
  /** The folder that relative paths of the call start from. */
  readonly cwd: string;
}

export interface ProtectedFile {
  readonly path: string;
  readonly kind: 'ours' | 'client';
}

/**
 * Returns the protected file that a call of a file tool would write: one of Sekisho's own, or a client's settings with its
 * hooks and servers. It checks the paths in the call and the targets of links only. A hook cannot know the effects of a shell
 * line or of another server's tool: evidence guards check the outcome, and the state is stored elsewhere.
 */
export function findProtectedFile(tool: ToolUse, place: ProtectedPlace): ProtectedFile | undefined {
  if (!isFileWriter(tool)) return undefined;
  const data = pathVariants(place.data);
  const bases = [
    ...place.bases.flatMap(pathVariants).map((folder) => ({ folder, as: '' })),
    ...place.moved.flatMap((one) =>
      pathVariants(one.folder).map((folder) => ({ folder, as: `${one.insteadOf}${sep}` })),
    ),
  ];
  const programs = programFolders(place.project);
  for (const path of visiblePaths(tool, place.cwd)) {
    for (const one of pathVariants(path)) {
      if (one.includes('\0') || isOurs.test(one) || data.some((folder) => isState(one, folder)))
        return { path, kind: 'ours' };
      if (programs.some((folder) => isWithin(one, folder))) return { path, kind: 'ours' };
      if (bases.some(({ folder, as }) => isBelow(one, folder) && isSetting(as + relative(folder, one))))
        return { path, kind: 'client' };
    }
  }
  return undefined;
}

/** Our folder in a project, and our package in any node_modules. A person may start another copy than hooks do. */
const isOurs = /(?:^|[\\/])(?:\.sekisho|node_modules[\\/]sekisho)(?:[\\/]|$)/;

/** Lists the folders of the running program; none if the project is inside it, as for Sekisho's own developers. */
function programFolders(project: readonly string[]): readonly string[] {
  const folders = pathVariants(packagePath());
  return project.flatMap(pathVariants).some((one) => folders.some((folder) => isWithin(one, folder))) ? [] : folders;
}

/** Returns the path as written and with links resolved, in lower case, since some file systems ignore case. */
function pathVariants(path: string): readonly string[] {
  return [...new Set([path.toLowerCase(), realPath(path).toLowerCase()])];
}

/** Tells whether the path is Sekisho's state. The worktrees in the data folder are the agents' own. */
function isState(path: string, data: string): boolean {
  return isWithin(path, data) && !isBelow(path, join(data, 'worktrees'));
}

const settings: ReadonlySet<string> = new Set(
  agentClients.flatMap((one) => one.settings ?? []).map((path) => path.toLowerCase()),
);
const maxSettingDepth = Math.max(...[...settings].map((path) => path.split('/').length));

/** Tells whether a path is a client's settings file, is in a settings folder, or is a folder that contains one. */
function isSetting(below: string): boolean {
  const parts = below.split(sep);
  const upTo = parts.slice(0, maxSettingDepth).map((_, index) => parts.slice(0, index + 1).join('/'));
  if (upTo.some((path) => settings.has(path))) return true;
  return parts.length < maxSettingDepth && [...settings].some((path) => path.startsWith(`${parts.join('/')}/`));
}
