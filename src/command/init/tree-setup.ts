import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** How dependencies are installed, by the lock file of each package manager. */
const installs: readonly (readonly [lock: string, setup: readonly string[]])[] = [
  ['pnpm-lock.yaml', ['pnpm', 'install', '--frozen-lockfile']],
  ['yarn.lock', ['yarn', 'install', '--frozen-lockfile']],
  ['package-lock.json', ['npm', 'ci']],
  ['uv.lock', ['uv', 'sync']],
  ['poetry.lock', ['poetry', 'install']],
];

/** Proposes `worktree:` for the trees of agents: they have neither dependencies nor files that git ignores. */
export function findTreeSetup(tree: string): object | undefined {
  const found = installs.find(([lock]) => existsSync(join(tree, lock)));
  const copy = ['.env'].filter((file) => existsSync(join(tree, file)));
  if (found === undefined && copy.length === 0) return undefined;
  return { ...(found && { setup: found[1], when: [found[0]] }), ...(copy.length > 0 && { copy }) };
}
