import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';

export interface Repository {
  readonly cwd: string;
  readonly gitDir: string;
  readonly workTree: string;
  /** The environment by which git and its user's settings are found. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Overrides of the repository's settings, which an agent can edit: nothing may start a program or hide a file. */
const switchedOff = [
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  `core.hooksPath=${devNull}`,
  'submodule.recurse=false',
].flatMap((one) => ['-c', one]);

/** The repository of a folder. `upwards`: also in the folders above, since a project can be a part of a larger repository. */
export function findRepository(root: string, env: Repository['env'], upwards: boolean): Repository | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const gitDir = join(folder, '.git');
    if (lstatSync(gitDir, { throwIfNoEntry: false }) !== undefined) return { cwd: root, gitDir, workTree: folder, env };
    if (!upwards || folder === dirname(folder)) return undefined;
  }
}

/** Runs git and returns its output. Git is told where the repository is, so that neither `core.worktree` nor a search decides. */
export function runGit({ cwd, gitDir, workTree, env: own }: Repository, args: readonly string[]): Promise<Buffer> {
  const env = {
    PATH: own['PATH'],
    HOME: own['HOME'],
    XDG_CONFIG_HOME: own['XDG_CONFIG_HOME'],
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
  };
  return new Promise((done, fail) => {
    const options = { cwd, env, encoding: 'buffer' as const, maxBuffer: 2 ** 30, windowsHide: true };
    execFile('git', [...switchedOff, ...args], options, (error, stdout) => {
      if (error === null) done(stdout);
      else fail(error);
    });
  });
}

/** Whether `git add` would leave a file out. A file that git already tracks is not ignored. */
export async function isIgnored(file: string, env: Repository['env']): Promise<boolean> {
  const repository = findRepository(dirname(file), env, true);
  if (repository === undefined) return false;
  return runGit(repository, ['check-ignore', '--quiet', '--', file]).then(
    () => true,
    () => false,
  );
}
