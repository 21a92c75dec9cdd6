import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { type ProjectPlace, realPath } from '../config/locate.ts';
import { worktreeAround } from '../config/worktree.ts';
import { agents } from '../fleet/agents.ts';
import type { Environment } from '../base/environment.ts';
import { packagePath } from '../base/package.ts';
import { jsonObjectOf } from '../base/json-object.ts';
import { readRegular } from '../machine/regular-file.ts';
import { pathsIn } from './allowed.ts';
import { isWithin } from '../base/path.ts';
import type { ClientFolder, ClientPlaces, SandboxPlace } from './place.ts';

const clients: Readonly<Record<string, ClientPlaces>> = Object.fromEntries(
  agents.flatMap(({ id, places }) => (places === undefined ? [] : [[id, places]])),
);

export function sandboxPlace(
  place: Pick<ProjectPlace, 'root' | 'tree' | 'data'>,
  env: Environment,
  options: Pick<SandboxPlace, 'readOnly' | 'cwd' | 'session' | 'started' | 'allow'>,
): SandboxPlace {
  mkdirSync(place.data.path, { recursive: true, mode: 0o700 });
  return {
    ...options,
    project: realPath(place.root),
    tree: realPath(place.tree),
    cwd: realPath(options.cwd),
    ...gitFolders(realPath(place.tree)),
    home: homeOf(env),
    data: realPath(place.data.path),
    // With the shim that clients' hooks call: it must be readable inside, and not writable.
    own: [packagePath(), dirname(realpathSync(process.execPath)), place.data.app]
      .filter((path) => existsSync(path))
      .map(realPath),
    clients: { ...clients, ...startedPlaces(options.started, place, env) },
    allow: [...new Set([...options.allow, ...neededCredentials(options.started, env, place)])],
  };
}

/** The credentials that the started client needs to log in, given the environment and the person's settings. */
function neededCredentials(
  started: string | undefined,
  env: Environment,
  place: Pick<ProjectPlace, 'tree' | 'data'>,
): readonly string[] {
  const cli = agents.find(({ id }) => id === started);
  const [folder] = Object.values(startedPlaces(started, place, env))[0]?.home ?? [];
  if (cli?.credentials === undefined || folder === undefined) return [];
  const own = folder.from ?? join(homeOf(env), folder.path);
  const set = cli.environmentFile === undefined ? {} : variablesIn(join(own, cli.environmentFile));
  return cli
    .credentials({ ...env, ...set })
    .filter((one) => pathsIn([one], homeOf(env)).some((path) => existsSync(path)));
}

function variablesIn(file: string): Environment {
  const read = readRegular(file);
  const { env } = jsonObjectOf('text' in read ? read.text : '');
  return Object.fromEntries(Object.entries(jsonObjectOf(env)).map(([name, value]) => [name, String(value)]));
}

function homeOf(env: Environment): string {
  const home = env['HOME'];
  return realPath(home === undefined || home === '' ? homedir() : home);
}

/** The started client's folders at the person's paths, except those that an agent can write to. */
function startedPlaces(
  started: string | undefined,
  { tree, data }: Pick<ProjectPlace, 'tree' | 'data'>,
  env: Environment,
): Readonly<Record<string, ClientPlaces>> {
  const found = started === undefined ? undefined : clients[started];
  if (started === undefined || found === undefined) return {};
  const from = ({ variable, below = '' }: ClientFolder) => {
    const said = variable === undefined ? undefined : env[variable];
    if (said === undefined || !isAbsolute(said)) return undefined;
    const path = realPath(join(said, below));
    return [tree, data.path].some((one) => isWithin(path, realPath(one))) ? undefined : path;
  };
  return { [started]: { ...found, home: found.home.map((one) => ({ ...one, from: from(one) })) } };
}

/** Git's own folder, writable for commits. An agent can write any path into a `.git` file, so the checkout confirms it. */
function gitFolders(tree: string): Pick<SandboxPlace, 'git' | 'record'> {
  const worktree = worktreeAround(tree);
  if (worktree !== undefined) return { git: join(worktree.main, '.git'), record: worktree.record };
  for (let folder = tree; ; folder = dirname(folder)) {
    const git = join(folder, '.git');
    if (statSync(git, { throwIfNoEntry: false })?.isDirectory() === true) return { git };
    if (folder === dirname(folder)) return { git: undefined };
  }
}
