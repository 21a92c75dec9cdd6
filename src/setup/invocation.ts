import { homedir } from 'node:os';
import { join } from 'node:path';
import { type HookEvent, type Invocations, hookEvents } from '../fleet/agent-hook.ts';
import type { Environment } from '../base/environment.ts';

/** The folder in which a client is started, and how it reaches us from there. */
export interface Calling {
  readonly scope: Invocations['scope'];
  readonly shim: string;
  readonly tree: string;
  readonly repository: string;
  readonly env: Environment;
}

export function invocations(client: string, { scope, shim, tree, repository, env }: Calling): Invocations {
  const quoted = /^[\w./+-]+$/.test(shim) ? shim : `'${shim.replaceAll("'", String.raw`'\''`)}'`;
  const line = scope === 'shared' ? `${portablePrefix}${portable}' sekisho` : quoted;
  return {
    hook: (event: HookEvent) => `${line} hook ${event} --client ${client}`,
    mcp:
      scope === 'shared'
        ? { command: 'sh', args: ['-c', portable, 'sekisho', 'mcp'] }
        : { command: shim, args: ['mcp'] },
    scope,
    tree,
    repository,
    home: (folder, variable) => (variable === undefined ? undefined : env[variable]) || join(homeOf(env), folder),
  };
}

const portablePrefix = "sh -c '";

/** Whether a command was written for a file under version control, by any version of ours. */
export function isPortable(command: string): boolean {
  return command.startsWith(portablePrefix);
}

function homeOf(env: Environment): string {
  return env['HOME'] || homedir();
}

/** Ends a shell line that cannot reach us: with exit code 2, which clients treat as "blocked", or with 1 if the event cannot be blocked. */
export const endUnasked = `case "$2" in ${hookEvents.filter((one) => one !== 'pre-tool-use').join('|')}) exit 1;; esac; exit 2`;

/** A shell script for files under version control: it finds the shim of the user who runs it, or reports that there is none. It contains no single quote. */
const portable = [
  'for d in "${XDG_DATA_HOME:-$HOME/.local/share}" "$HOME/Library/Application Support"',
  'do [ -x "$d/sekisho/app/sekisho" ] && exec "$d/sekisho/app/sekisho" "$@"',
  'done',
  'command -v sekisho >/dev/null && exec sekisho "$@"',
  'echo "Sekisho is not set up on this machine: npm install -g sekisho && sekisho init" >&2',
  endUnasked,
].join('; ');
