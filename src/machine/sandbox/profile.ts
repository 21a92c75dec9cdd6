import { dirname, join } from 'node:path';
import { allowedPaths } from './allowed.ts';
import { gitPlaces } from './git.ts';
import type { ClientPlaces, Environment, SandboxPlace } from './place.ts';
import { sessionFolder } from './place.ts';
import { privateFolders, voidFile } from './prepare.ts';
import type { Sight } from './sight.ts';
import { within } from './sight.ts';

type Words = readonly string[];

/** What this bwrap can do. */
export interface Features {
  /** `--disable-userns`, since 0.8. The seccomp filter alone forbids nesting too. */
  readonly disableUserns: boolean;
}

const scratch = ['/tmp', '/var/tmp', '/run'];
/** Keys and passwords: of databases, and of other machines. */
const hiddenInHome = ['.ssh', '.gnupg', '.pgpass', '.pg_service.conf', '.postgresql'];
/** In /run, but needed to find names and, on NixOS, any program. */
const backInRun = ['/run/systemd/resolve', '/run/resolvconf', '/run/current-system'];

/**
 * The arguments of bwrap up to the program. Later mounts cover earlier ones, so the order is the design:
 *
 * - Folders are covered, hardly ever files: a file that is replaced from outside takes its cover with it.
 * - A folder between a writable one and a covered one is a mount point too, else it could be renamed away.
 * - The home is an empty folder with read-only mounts in it: what appears in the real one later stays out.
 * - The network is shared, for the model's API and for servers on loopback.
 */
export function bwrapArguments(place: SandboxPlace, env: Environment, sight: Sight, features: Features): Words {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(features.disableUserns ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL', '--die-with-parent'],
    ...system(sight),
    ...pins(place, scratch),
    ...home(place, sight),
    ...pins(place, ownFolders(place)),
    ...['--tmpfs', place.data],
    ...project(place, sight),
    ...git(place, sight),
    ...covered(place, sight),
    ...readOnly(place.own),
    ...sockets(place, env, sight),
    ...(place.session === undefined ? [] : ['--ro-bind', place.session, sessionFolder]),
    ...[place.data, ...(hasHome(place, sight) ? [place.home] : []), '/run'].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', place.cwd],
  ];
}

function system(sight: Sight): Words {
  // A link, on all but old systems: then it is covered already.
  const folders = [...scratch, '/var/run'].filter((path) => sight.kindOf(path) === 'folder');
  const names = sight.realPath('/etc/resolv.conf');
  const resolver = backInRun.some((path) => within(names, path)) || !within(names, '/run') ? [] : [names];
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...folders.flatMap((path) => ['--tmpfs', path]),
    ...[...backInRun, ...resolver].flatMap((path) => ['--ro-bind-try', path, path]),
  ];
}

function home(place: SandboxPlace, sight: Sight): Words {
  if (!hasHome(place, sight)) return [];
  const client = place.clients.find((one) => one.id === place.started);
  const own = client?.home.map((one) => one.path) ?? [];
  const names = sight
    .list(place.home)
    .filter((name) => ![...hiddenInHome, ...privateFolders, ...own].includes(name))
    .map((name) => join(place.home, name));
  return [
    ...['--tmpfs', place.home],
    ...names.flatMap((path) => shown(path, sight)),
    ...privateFolders.flatMap((name) => ['--bind', join(place.keep, 'home', name), join(place.home, name)]),
    ...(client === undefined ? [] : clientHome(place, client, sight)),
  ];
}

/** Users of services have none, or `/`. */
function hasHome({ home: folder }: SandboxPlace, sight: Sight): boolean {
  return folder !== '/' && sight.kindOf(folder) === 'folder';
}

function ownFolders(place: SandboxPlace): Words {
  return privateFolders.map((name) => join(place.home, name));
}

function shown(path: string, sight: Sight): Words {
  switch (sight.kindOf(path)) {
    case 'folder':
    case 'file':
      return ['--ro-bind', path, path];
    case 'link':
      return ['--symlink', sight.linkAt(path), path];
    default:
      return []; // Sockets and pipes lead to processes outside.
  }
}

/** The sandbox's own folder in place of the client's, with what is shared and what is fixed mounted into it. */
function clientHome(place: SandboxPlace, client: ClientPlaces, sight: Sight): Words {
  return client.home.flatMap(({ path, fixed, shared }) => {
    const inside = join(place.home, path);
    const real = (name: string) => sight.realPath(join(inside, name));
    const exists = (name: string) => sight.kindOf(real(name)) !== undefined;
    return [
      ...['--bind', join(place.keep, 'home', path), inside],
      ...shared.filter(exists).flatMap((name) => ['--bind', real(name), join(inside, name)]),
      ...Object.entries(fixed).flatMap(([name, kind]) => {
        const nothing = kind === 'folder' ? join(place.keep, 'void', 'folder') : voidFile(place, client.id, name);
        return ['--ro-bind', exists(name) ? real(name) : nothing, join(inside, name)];
      }),
    ];
  });
}

function project({ project: main, tree }: SandboxPlace, sight: Sight): Words {
  const other = main === tree ? [] : ['--ro-bind', main, main, ...gateFiles(main, sight)];
  return [...other, '--bind', tree, tree];
}

/** The folders above what is mounted into space of the sandbox's own: as mount points they cannot be renamed. */
function pins(place: SandboxPlace, spaces: Words): Words {
  const mounted = [place.home, place.data, place.project, place.tree, place.git ?? place.tree, ...place.own];
  const above = mounted.flatMap((path) => {
    const space = spaces.find((one) => within(path, one));
    return space === undefined ? [] : between(space, dirname(path));
  });
  const shown = [place.data, place.project, place.tree, ...(spaces === scratch ? [place.home] : [])];
  return unique(above)
    .filter((path) => !shown.some((folder) => within(path, folder)))
    .toSorted((a, b) => a.length - b.length)
    .flatMap((path) => ['--tmpfs', path]);
}

function git(place: SandboxPlace, sight: Sight): Words {
  if (place.git === undefined) return [];
  const { folders, files } = gitPlaces(place.git, sight);
  const link = join(place.tree, '.git');
  const steps = folders.map((one) => dirname(one)).flatMap((one) => between(place.git ?? one, one));
  return [
    ...bound([place.git, ...new Set(steps)]),
    ...readOnly([...folders, ...files]),
    // A worktree's: it must not lead elsewhere.
    ...(link === place.git ? [] : ['--ro-bind-try', link, link]),
  ];
}

/** The gate's own files and those of every client. */
function covered(place: SandboxPlace, sight: Sight): Words {
  const { tree } = place;
  const all = place.clients.map((one) => one.project);
  const paths = unique(all.flatMap((one) => [...one.folders, ...Object.keys(one.files)])).map((one) => join(tree, one));
  const steps = unique(paths.flatMap((path) => between(tree, dirname(path))));
  return [...gateFiles(tree, sight), ...bound(steps), ...readOnly(paths)];
}

/**
 * `.sekisho/`: what is there for version control stays to be read, else a commit inside would delete it. A database or a
 * token of an older version is not there.
 */
function gateFiles(root: string, sight: Sight): Words {
  const folder = join(root, '.sekisho');
  if (sight.kindOf(folder) !== 'folder') return [];
  const names = sight.list(folder).filter((name) => !/\.(db|token|sock|log)\b|^(agents|hosts|logs|worktrees)$/.test(name));
  return [
    ...['--tmpfs', folder],
    ...names.flatMap((name) => shown(join(folder, name), sight)),
    ...['--remount-ro', folder],
  ];
}

/** Whatever listens on a path that can be seen: a read-only mount does not stop anybody from connecting. */
function sockets(place: SandboxPlace, env: Environment, sight: Sight): Words {
  const allowed = allowedPaths(place.allow, env, place.home).map((path) => sight.realPath(path));
  const away = [
    ...[...scratch, place.data, place.tree],
    ...[...hiddenInHome, ...privateFolders].map((name) => join(place.home, name)),
  ];
  const reachable = sight
    .sockets()
    .filter((path) => sight.kindOf(path) === 'socket' && sight.realPath(path) === path && dirname(path) !== place.home)
    .filter((path) => !away.some((folder) => within(path, folder)) && !allowed.some((one) => within(path, one)));
  return [
    ...reachable.flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...allowed.flatMap((path) => (sight.kindOf(path) === undefined ? [] : ['--bind', path, path])),
  ];
}

function readOnly(paths: Words): Words {
  return paths.flatMap((path) => ['--ro-bind', path, path]);
}

function bound(paths: Words): Words {
  return paths.flatMap((path) => ['--bind', path, path]);
}

/** The folders from the one to the other, without the first. */
function between(from: string, to: string): Words {
  return to === from || !within(to, from) ? [] : [...between(from, dirname(to)), to];
}

function unique(words: Words): Words {
  return [...new Set(words)];
}
