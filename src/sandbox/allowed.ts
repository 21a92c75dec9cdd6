import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';

/** A way from the sandbox to a process outside. */
interface Way {
  /** Variables that are removed inside unless the way is allowed. */
  readonly variables: readonly string[];
  paths(env: Environment, home: string): readonly (string | undefined)[];
}

const runtime = (env: Environment, name: string) =>
  env['XDG_RUNTIME_DIR'] === undefined ? undefined : join(env['XDG_RUNTIME_DIR'], name);

/** Ways to a process outside, by their names in `sandbox.allow`. Each is a hole; docker's gives access to everything. */
const ways: Readonly<Record<string, Way>> = {
  'ssh-agent': {
    variables: ['SSH_AUTH_SOCK', 'SSH_AGENT_PID'],
    paths: (env, home) => [env['SSH_AUTH_SOCK'], join(home, '.ssh/known_hosts'), join(home, '.ssh/config')],
  },
  'gpg-agent': {
    variables: ['GPG_AGENT_INFO', 'XDG_RUNTIME_DIR'],
    paths: (env, home) => [runtime(env, 'gnupg'), join(home, '.gnupg')],
  },
  dbus: {
    variables: ['DBUS_SESSION_BUS_ADDRESS', 'DBUS_SYSTEM_BUS_ADDRESS', 'XDG_RUNTIME_DIR'],
    paths: (env) => [runtime(env, 'bus'), '/run/dbus/system_bus_socket'],
  },
  docker: {
    variables: ['DOCKER_HOST', 'CONTAINER_HOST'],
    paths: (env) => [env['DOCKER_HOST']?.replace(/^unix:\/\//, ''), '/run/docker.sock', runtime(env, 'podman')],
  },
  x11: { variables: ['DISPLAY', 'XAUTHORITY'], paths: (env) => ['/tmp/.X11-unix', env['XAUTHORITY']] },
  wayland: {
    variables: ['WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR'],
    paths: (env) => [runtime(env, env['WAYLAND_DISPLAY'] ?? 'wayland-0')],
  },
  tmux: { variables: ['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR'], paths: (env) => [env['TMUX']?.split(',')[0]] },
};

export const allowedNames: readonly string[] = Object.keys(ways);

/** Variables that lead to terminals, editors and Windows, which take commands there. They are always removed. */
const removedVariables = [
  'STY',
  'NVIM',
  'NVIM_LISTEN_ADDRESS',
  'KITTY_LISTEN_ON',
  'WEZTERM_UNIX_SOCKET',
  'ALACRITTY_SOCKET',
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_IPC_HANDLE',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'WSL_INTEROP',
];

/** The paths that `allow` makes visible again: those of its names, and its paths. */
export function allowedPaths(allow: readonly string[], env: Environment, home: string): readonly string[] {
  const named = allow.flatMap((name) => ways[name]?.paths(env, home) ?? []);
  return [...named.filter((path) => path?.startsWith('/') === true), ...pathsIn(allow, home)] as readonly string[];
}

/** The paths in `allow`, with `~` resolved. */
export function pathsIn(allow: readonly string[], home: string): readonly string[] {
  return allow.filter(isAllowedPath).map((one) => (one.startsWith('~') ? join(home, one.slice(1)) : one));
}

export function isAllowedPath(word: string): boolean {
  return word.startsWith('/') || word.startsWith('~/');
}

/** The environment inside: without variables that lead to a database, to Sekisho, or to a process outside. */
export function confinedEnvironment(env: Environment, allow: readonly string[]): Record<string, string> {
  const open = new Set(allow.flatMap((name) => ways[name]?.variables ?? []));
  const gone = new Set(
    [...removedVariables, ...Object.values(ways).flatMap((way) => way.variables)].filter((one) => !open.has(one)),
  );
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !gone.has(entry[0]) && !/^(PG|SEKISHO_)/.test(entry[0]),
  );
  return Object.fromEntries(kept);
}
