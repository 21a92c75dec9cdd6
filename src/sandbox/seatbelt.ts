import { dirname, join } from 'node:path';
import { allowedPaths } from './allowed.ts';
import { hiddenPaths, shownCredentials } from './credentials.ts';
import { gitPlaces, pointerFiles, recordPlaces } from './git.ts';
import { type SandboxPlace, fixedPaths, startedClient } from './place.ts';
import { type Sight, foldersBetween } from './sight.ts';
import type { Environment } from '../base/environment.ts';

const privateRoots = ['/private/tmp', '/private/var/tmp', '/private/var/folders'];

/**
 * The profile for macOS's `sandbox-exec`, by path and not by mounts. It is experimental and has not been run on a Mac yet. The
 * last rule that matches applies. Unlike on Linux, /tmp and caches are shared.
 */
export function seatbeltProfile(place: SandboxPlace, env: Environment, sight: Sight): string {
  const { tree, home, data } = place;
  const client = startedClient(place);
  const clientFolders = client?.home.map((one) => join(home, one.path)) ?? [];
  const fixed = client?.home.flatMap((one) => fixedPaths(one.fixed).map((name) => join(home, one.path, name))) ?? [];
  const inProject = Object.values(place.clients).flatMap(({ project }) => fixedPaths(project));
  const protectedPaths = [
    ...['.sekisho', ...(place.git === join(tree, '.git') ? [] : ['.git']), ...inProject].map((path) =>
      join(tree, path),
    ),
    ...fixedPaths(gitPlaces(place, sight)),
    ...pointerFiles(place, sight),
    ...fixed,
  ];
  const roots = [tree, ...(place.git === undefined ? [] : [place.git])];
  const record = place.record === undefined || place.readOnly === true ? [] : [place.record];
  const inRecord = fixedPaths(recordPlaces(place, sight));
  const above = [
    ...new Set([...protectedPaths.flatMap((path) => foldersBetween(tree, dirname(path))), ...roots, ...record]),
  ];
  const writable = [...(place.readOnly === true ? [] : roots), ...clientFolders, ...privateRoots];
  const allowed = allowedPaths(place.allow, env, home);
  const hidden = [data, ...hiddenPaths(place, sight)];
  return [
    '(version 1)',
    '(allow default)',
    rule('deny file-write*', ['(subpath "/")']),
    rule('allow file-write*', [...writable.map(subpath), '(subpath "/dev")']),
    // A protected path cannot be moved by renaming a folder above it either.
    rule('deny file-write*', protectedPaths.map(subpath)),
    ...(record.length === 0
      ? []
      : [rule('allow file-write*', record.map(subpath)), rule('deny file-write*', inRecord.map(subpath))]),
    rule('deny file-write-unlink', above.map(literal)),
    rule('deny file-read* file-write*', hidden.map(subpath)),
    rule('allow file-read*', [...place.own, ...shownCredentials(place)].map(subpath)),
    // Unix sockets: docker, ssh-agent, tmux and others. The model's API is TCP.
    rule('deny network-outbound', ['(remote unix-socket)']),
    rule('allow network-outbound', [
      ...[tree, ...(place.session === undefined ? [] : [place.session])].map(remote),
      ...allowed.map(remote),
      // The socket for name resolution.
      remote('/private/var/run/mDNSResponder'),
    ]),
    ...(place.session === undefined ? [] : [rule('allow file-read*', [subpath(place.session)])]),
    // Other processes: no debugging, no signals, and no way to have another program started.
    '(deny mach-priv-task-port)',
    '(deny process-info* (target others))',
    '(deny signal (target others))',
    '(allow signal (target same-sandbox))',
    '(deny appleevent-send)',
    '(deny job-creation)',
    '',
  ].join('\n');
}

function rule(what: string, paths: readonly string[]): string {
  return `(${what} ${paths.join(' ')})`;
}

function subpath(path: string): string {
  return `(subpath ${quoted(path)})`;
}

function literal(path: string): string {
  return `(literal ${quoted(path)})`;
}

function remote(path: string): string {
  return `(remote unix-socket (subpath ${quoted(path)}))`;
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;
}
