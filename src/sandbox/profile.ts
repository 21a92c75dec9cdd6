import type { Environment } from '../base/environment.ts';
import { dirname, join } from 'node:path';
import { allowedPaths } from './allowed.ts';
import { hiddenPaths, shownCredentials } from './credentials.ts';
import { gitPlaces, pointerFiles, recordPlaces } from './git.ts';
import {
  type ClientPlaces,
  type Fixed,
  type PreparedPlace,
  type SandboxPlace,
  fixedPaths,
  sessionFolder,
  startedClient,
} from './place.ts';
import { privateFolders, replacedFile, emptyFilePath } from './prepare.ts';
import { isWithin } from '../base/path.ts';
import { type Sight, foldersBetween } from './sight.ts';

type Words = readonly string[];

export interface Features {
  /** `--disable-userns`, since 0.8. The seccomp filter alone forbids nesting too. */
  readonly disableUserns: boolean;
}

const namespaces =
  '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --cap-drop ALL --die-with-parent'.split(
    ' ',
  );
export const scratch = ['/tmp', '/var/tmp', '/run'];
/** Folders in /run that are needed to resolve host names and, on NixOS, to find programs. */
export const backInRun = ['/run/systemd/resolve', '/run/resolvconf', '/run/current-system'];
/**
 * Kernel settings in /proc. Root may write them even without capabilities, and `core_pattern` starts programs outside of
 * the sandbox. bwrap covers some of them itself, but not /proc/sys.
 */
const kernelSettings = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'];

/**
 * The arguments of bwrap up to the program. Later mounts cover earlier ones, so the order is the design:
 *
 * - Folders are covered, hardly ever files: a file that is replaced from outside takes its cover with it.
 * - A folder between a writable one and a covered one is a mount point too, else it could be renamed away.
 * - The home is an empty folder with read-only mounts in it: what appears in the real one later stays out.
 * - The network is shared, for the model's API and for servers on loopback.
 */
export function bwrapArguments(place: PreparedPlace, env: Environment, sight: Sight, features: Features): Words {
  const nested = features.disableUserns ? ['--disable-userns'] : [];
  const session = place.session === undefined ? [] : ['--ro-bind', place.session, sessionFolder];
  const ended = [place.data, ...(hasHome(place, sight) ? [place.home, ...openedFolders(place, sight)] : []), '/run'];
  return [
    ...namespaces,
    ...nested,
    ...system(sight),
    ...pins(place, scratch),
    ...home(place, sight),
    ...pins(place, ownFolders(place)),
    ...mounts('--tmpfs', [place.data]),
    ...project(place, sight),
    ...git(place, sight),
    ...covered(place, sight),
    ...bound('--ro-bind', place.own),
    ...sockets(place, env, sight),
    ...session,
    ...mounts('--remount-ro', ended),
    '--chdir',
    place.cwd,
  ];
}

function system(sight: Sight): Words {
  // /var/run is a link on all but old systems, and then already covered.
  const folders = [...scratch, '/var/run'].filter((path) => sight.kindOf(path) === 'folder');
  const names = sight.realPath('/etc/resolv.conf');
  const resolver = backInRun.some((path) => isWithin(names, path)) || !isWithin(names, '/run') ? [] : [names];
  return [
    ...bound('--ro-bind', ['/']),
    ...mounts('--dev', ['/dev']),
    ...mounts('--proc', ['/proc']),
    ...bound('--ro-bind-try', kernelSettings),
    ...mounts('--tmpfs', folders),
    ...bound('--ro-bind-try', [...backInRun, ...resolver]),
  ];
}

function home(place: PreparedPlace, sight: Sight): Words {
  if (!hasHome(place, sight)) return [];
  const client = startedClient(place);
  const own = [...privateFolders, ...(client?.home.map((one) => one.path) ?? [])].map((name) => join(place.home, name));
  const hidden = hiddenPaths(place, sight);
  const needed = [place.home, place.project, place.tree, ...place.own];
  const elsewhere = hidden.filter((path) => !isWithin(path, place.home) && !needed.some((one) => isWithin(one, path)));
  return [
    ...mounts('--tmpfs', [place.home]),
    ...shownIn(place.home, [...hidden, ...own], openedFolders(place, sight), sight),
    ...bound(
      '--ro-bind-try',
      shownCredentials(place).filter((path) => hidden.some((one) => isWithin(path, one))),
    ),
    ...elsewhere.flatMap((path) => covers(path, sight)),
    ...privateFolders.flatMap((name) => ['--bind', join(place.keep, 'home', name), join(place.home, name)]),
    ...(client === undefined ? [] : clientHome(place, client, sight)),
  ];
}

/** The folders of the home that contain something hidden: like the home, they are empty folders with mounts in them. */
function openedFolders(place: SandboxPlace, sight: Sight): Words {
  const own = [...privateFolders, ...(startedClient(place)?.home.map((one) => one.path) ?? [])];
  // Folders that are mounted separately.
  const others = [place.project, place.tree, place.data, ...own.map((name) => join(place.home, name))];
  const above = unique(hiddenPaths(place, sight).flatMap((path) => foldersBetween(place.home, dirname(path))));
  return above.filter(
    (path) =>
      sight.kindOf(path) === 'folder' && sight.realPath(path) === path && !others.some((one) => isWithin(path, one)),
  );
}

function shownIn(folder: string, hidden: Words, opened: Words, sight: Sight): Words {
  return sight.list(folder).flatMap((name) => {
    const path = join(folder, name);
    if (hidden.includes(path)) return [];
    return opened.includes(path) ? ['--tmpfs', path, ...shownIn(path, hidden, opened, sight)] : shown(path, sight);
  });
}

/** Covers a hidden path outside of the home, to which a link leads. */
function covers(path: string, sight: Sight): Words {
  const kind = sight.kindOf(path);
  if (kind === 'folder') return ['--tmpfs', path, '--remount-ro', path];
  return kind === 'file' ? ['--ro-bind', '/dev/null', path] : [];
}

/** Whether the user has a home. Service users have none, or `/`. */
function hasHome({ home: folder }: SandboxPlace, sight: Sight): boolean {
  return folder !== '/' && sight.kindOf(folder) === 'folder';
}

function ownFolders(place: SandboxPlace): Words {
  return privateFolders.map((name) => join(place.home, name));
}

function shown(path: string, sight: Sight, inside = path): Words {
  const kind = sight.kindOf(path);
  if (kind === 'link') return ['--symlink', sight.linkAt(path), inside];
  // Sockets and pipes lead to processes outside. `try`: temporary files of other programs can be gone before they are mounted.
  return kind === 'folder' || kind === 'file' ? ['--ro-bind-try', path, inside] : [];
}

/** Mounts the sandbox's own folder in place of the client's, with shared and fixed files mounted into it. */
function clientHome(place: PreparedPlace, client: ClientPlaces, sight: Sight): Words {
  return client.home.flatMap(({ path, from, fixed, shared }) => {
    const inside = join(place.home, path);
    const realOf = (name: string) => sight.realPath(join(from ?? inside, name));
    const mount = (how: string, name: string, nothing?: string) => {
      const source = sight.kindOf(realOf(name)) === undefined ? nothing : realOf(name);
      return source === undefined ? [] : [how, source, join(inside, name)];
    };
    const replaced = Object.keys(place.replaced ?? {});
    const folder = (name: string) =>
      replaced.some((one) => dirname(one) === join(inside, name))
        ? withReplaced(place, join(inside, name), realOf(name), sight)
        : mount('--ro-bind', name, join(place.keep, 'void', 'folder'));
    const file = (name: string) =>
      replaced.includes(join(inside, name))
        ? ['--ro-bind', replacedFile(place, join(inside, name)), join(inside, name)]
        : mount('--ro-bind', name, emptyFilePath(place, path, name));
    return [
      '--bind',
      join(place.keep, 'home', path),
      inside,
      ...shared.flatMap((name) => mount('--bind', name)),
      ...fixed.folders.flatMap(folder),
      ...Object.keys(fixed.files).flatMap(file),
    ];
  });
}

/** Mounts a folder entry by entry, with the replaced files: no mount point can be created in a read-only folder. */
function withReplaced(place: PreparedPlace, folder: string, real: string, sight: Sight): Words {
  const files = Object.keys(place.replaced ?? {}).filter((path) => dirname(path) === folder);
  const others = sight.list(real).filter((name) => !files.includes(join(folder, name)));
  return [
    ...mounts('--tmpfs', [folder]),
    ...others.flatMap((name) => shown(join(real, name), sight, join(folder, name))),
    ...files.flatMap((path) => ['--ro-bind', replacedFile(place, path), path]),
    ...mounts('--remount-ro', [folder]),
  ];
}

function project(place: SandboxPlace, sight: Sight): Words {
  const { project: main, tree } = place;
  const other = main === tree ? [] : ['--ro-bind', main, main, ...gateFiles(main, sight)];
  return [...other, ...bound(bindOf(place), [tree])];
}

function bindOf({ readOnly }: SandboxPlace): '--bind' | '--ro-bind' {
  return readOnly === true ? '--ro-bind' : '--bind';
}

/** Mounts the folders above those that are mounted into the sandbox's own space: mount points cannot be renamed. */
function pins(place: SandboxPlace, spaces: Words): Words {
  const mounted = [place.home, place.data, place.project, place.tree, place.git ?? place.tree, ...place.own];
  const above = mounted.flatMap((path) => {
    const space = spaces.find((one) => isWithin(path, one));
    return space === undefined ? [] : foldersBetween(space, dirname(path));
  });
  const others = [place.data, place.project, place.tree, ...(spaces === scratch ? [place.home] : [])];
  const own = unique(above).filter((path) => !others.some((folder) => isWithin(path, folder)));
  return mounts(
    '--tmpfs',
    own.toSorted((a, b) => a.length - b.length),
  );
}

function git(place: SandboxPlace, sight: Sight): Words {
  const { git: folder, record } = place;
  if (folder === undefined) return [];
  const link = join(place.tree, '.git');
  const pointers = pointerFiles(place, sight);
  const above = unique(pointers.flatMap((one) => foldersBetween(place.tree, dirname(one))));
  return [
    ...writableBut(place, folder, gitPlaces(place, sight)),
    ...(record === undefined ? [] : writableBut(place, record, recordPlaces(place, sight))),
    // A worktree's `.git` file must not lead elsewhere.
    ...(link === folder ? [] : ['--ro-bind-try', link, link]),
    ...bound(bindOf(place), above),
    ...bound('--ro-bind', pointers),
  ];
}

function writableBut(place: SandboxPlace, folder: string, fixed: Fixed): Words {
  const steps = unique(fixedPaths(fixed).flatMap((one) => foldersBetween(folder, dirname(one))));
  return [...bound(bindOf(place), [folder, ...steps]), ...bound('--ro-bind', fixedPaths(fixed))];
}

/** Covers the gate's own files and those of every client. */
function covered(place: SandboxPlace, sight: Sight): Words {
  const { tree } = place;
  const paths = unique(Object.values(place.clients).flatMap((one) => fixedPaths(one.project))).map((one) =>
    join(tree, one),
  );
  const steps = unique(paths.flatMap((path) => foldersBetween(tree, dirname(path))));
  return [...gateFiles(tree, sight), ...bound(bindOf(place), steps), ...bound('--ro-bind', paths)];
}

/** Mounts `.sekisho/` read-only: hidden, a commit would delete it. Only an older version's databases and tokens are hidden. */
function gateFiles(root: string, sight: Sight): Words {
  const folder = join(root, '.sekisho');
  if (sight.kindOf(folder) !== 'folder') return [];
  const names = sight
    .list(folder)
    .filter((name) => !/\.(db|token|sock|log)\b|^(agents|hosts|logs|worktrees)$/.test(name));
  return [
    ...mounts('--tmpfs', [folder]),
    ...names.flatMap((name) => shown(join(folder, name), sight)),
    ...mounts('--remount-ro', [folder]),
  ];
}

/** Covers sockets at visible paths: a read-only mount does not prevent connecting to them. */
function sockets(place: SandboxPlace, env: Environment, sight: Sight): Words {
  const readable = shownCredentials(place);
  const allowed = allowedPaths(place.allow, env, place.home)
    .filter((path) => !readable.includes(path))
    .map((path) => sight.realPath(path));
  const away = [...scratch, place.data, place.tree, ...hiddenPaths(place, sight), ...ownFolders(place)];
  const reachable = sight
    .sockets()
    .filter((path) => sight.kindOf(path) === 'socket' && sight.realPath(path) === path && dirname(path) !== place.home)
    .filter((path) => !away.some((folder) => isWithin(path, folder)) && !allowed.some((one) => isWithin(path, one)));
  return [
    ...reachable.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...bound(
      '--bind',
      allowed.filter((path) => sight.kindOf(path) !== undefined),
    ),
  ];
}

function bound(how: '--bind' | '--ro-bind' | '--ro-bind-try', paths: Words): Words {
  return paths.flatMap((path) => [how, path, path]);
}

function mounts(how: '--tmpfs' | '--dev' | '--proc' | '--remount-ro', paths: Words): Words {
  return paths.flatMap((path) => [how, path]);
}

function unique(words: Words): Words {
  return [...new Set(words)];
}
