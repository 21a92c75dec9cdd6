import { join, sep } from 'node:path';
import type { ToolUse } from '../fleet/agent-hook.ts';
import { type MovedFolder, agentClients } from '../fleet/agents.ts';
import { packagePath } from '../base/package.ts';
import { realPath } from './real-path.ts';
import { isFileWriter, visiblePaths } from './visible-paths.ts';

/** Where things are, for a decision about paths. */
export interface ProtectedPlace {
  /** The user's data folder: state, and the program that hooks start. */
  readonly data: string;
  /** The project's folder and its worktree. */
  readonly project: readonly string[];
  /** Folders from which a client takes its settings: the project's, its worktree's, the user's home. */
  readonly bases: readonly string[];
  readonly moved: readonly MovedFolder[];
  /** Where relative paths of the call start. */
  readonly cwd: string;
}

export interface Touched {
  readonly path: string;
  readonly kind: 'ours' | 'client';
}

/**
 * What a call of a file tool would write of the files that hold it to the process: Sekisho's own, and those in which
 * clients are told whom to ask. It sees what is written in the call and where links lead, and nothing else: what a shell line
 * or another server's tool does, no hook can know. Evidence looks at outcomes, and the state is kept elsewhere.
 */
export function touchedFile(tool: ToolUse, place: ProtectedPlace): Touched | undefined {
  if (!isFileWriter(tool)) return undefined;
  const data = bothWays(place.data);
  const bases = [
    ...place.bases.flatMap(bothWays).map((folder) => ({ folder, as: '' })),
    ...place.moved.flatMap((one) => bothWays(one.folder).map((folder) => ({ folder, as: `${one.insteadOf}${sep}` }))),
  ];
  const programs = programFolders(place.project);
  for (const path of visiblePaths(tool, place.cwd)) {
    for (const one of bothWays(path)) {
      if (one.includes('\0') || isOurs.test(one) || data.some((folder) => isState(one, folder)))
        return { path, kind: 'ours' };
      if (programs.some((folder) => isWithin(one, folder))) return { path, kind: 'ours' };
      if (bases.some(({ folder, as }) => one.startsWith(folder + sep) && isSetting(as + one.slice(folder.length + 1))))
        return { path, kind: 'client' };
    }
  }
  return undefined;
}

/** Our folder in a project, and our package wherever npm puts it: what a person starts is elsewhere than what hooks start. */
const isOurs = /(?:^|[\\/])(?:\.sekisho|node_modules[\\/]sekisho)(?:[\\/]|$)/;

/** The program that this is, except for those who develop it. */
function programFolders(project: readonly string[]): readonly string[] {
  const folders = bothWays(packagePath());
  return project.flatMap(bothWays).some((one) => folders.some((folder) => isWithin(one, folder))) ? [] : folders;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** As it is written and with links resolved. Some file systems ignore case, so case never counts. */
function bothWays(path: string): readonly string[] {
  return [...new Set([path.toLowerCase(), realPath(path).toLowerCase()])];
}

/** Agents work in the worktrees that lie there; everything else in it is not theirs. */
function isState(path: string, data: string): boolean {
  return isWithin(path, data) && !path.startsWith(join(data, 'worktrees') + sep);
}

const settings: ReadonlySet<string> = new Set(
  agentClients.flatMap((one) => one.settings ?? []).map((path) => path.toLowerCase()),
);
/** Nothing that is a setting as a whole lies deeper. */
const deepest = Math.max(...[...settings].map((path) => path.split('/').length));

/** A file in which a client is told whom to ask, one in such a folder, or a folder that holds one. */
function isSetting(below: string): boolean {
  const parts = below.split(sep);
  const upTo = parts.slice(0, deepest).map((_, index) => parts.slice(0, index + 1).join('/'));
  if (upTo.some((path) => settings.has(path))) return true;
  return parts.length < deepest && [...settings].some((path) => path.startsWith(`${parts.join('/')}/`));
}
