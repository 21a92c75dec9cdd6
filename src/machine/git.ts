import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from '../base/environment.ts';

export interface Repository {
  readonly cwd: string;
  readonly gitDir: string;
  readonly workTree: string;
  /** The environment by which git and its user's settings are found. */
  readonly env: Environment;
}

export interface GitOptions {
  /** Written to git's standard input. */
  readonly input?: string | Buffer;
  /** The command reads or writes files of the work tree, so git could start filters. Those of the repository are switched off. */
  readonly filters?: 'user';
  /** Git may read another repository of this machine. */
  readonly protocol?: 'file' | 'none';
  readonly timeoutMs?: number;
}

/**
 * Settings that override those of the repository: an agent can edit its configuration, and nothing there may start a
 * program or hide a file. The user's and the machine's settings stay in effect (LFS is there).
 */
const switchedOff: Readonly<Record<string, string>> = {
  'core.quotePath': 'off',
  'core.fsmonitor': 'false',
  'core.untrackedCache': 'false',
  'core.hooksPath': devNull,
  'diff.external': '',
  'diff.ignoreSubmodules': 'all',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'advice.detachedHead': 'false',
  'protocol.allow': 'never',
  'transfer.fsckObjects': 'true',
};

const answerMs = 10 * 60 * 1000;
const maxAnswerBytes = 2 ** 30;

/** Git ended with an error. The message is its own last line. */
export class GitFailure extends Error {
  constructor(
    message: string,
    /** The exit code, or the system's code if git could not be started. */
    readonly code: number | string | undefined,
    readonly stdout: Buffer,
  ) {
    super(message);
  }
}

/** The repository of a folder. `upwards`: also in the folders above, since a project can be a part of a larger repository. */
export function findRepository(root: string, env: Environment, upwards: boolean): Repository | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const gitDir = join(folder, '.git');
    if (lstatSync(gitDir, { throwIfNoEntry: false }) !== undefined) return { cwd: root, gitDir, workTree: folder, env };
    if (!upwards || folder === dirname(folder)) return undefined;
  }
}

/**
 * Runs git and returns its output; the only place that starts it. Git is told where the repository is, so that neither
 * `core.worktree` nor a search decides. Throws a `GitFailure`.
 */
export async function runGit(
  repository: Repository,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  if (options.filters === undefined) return start(repository, args, options, switchedOff);
  const list = ['config', '--list', '--show-scope', '--name-only', '-z'];
  const listed = (await start(repository, list, {}, switchedOff)).toString('utf8');
  return start(repository, args, options, { ...switchedOff, ...withoutFilters(listed) });
}

/** The output as text without the line break at its end; undefined if git fails. */
export async function tryGit(
  repository: Repository,
  args: readonly string[],
  options?: GitOptions,
): Promise<string | undefined> {
  try {
    return (await runGit(repository, args, options)).toString('utf8').trimEnd();
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

function start(
  {
    cwd,
    gitDir,
    workTree,
    env: own,
  }: Pick<Repository, 'cwd' | 'env'> & { readonly gitDir: string | undefined; readonly workTree: string | undefined },
  args: readonly string[],
  { input, protocol = 'none', timeoutMs = answerMs }: GitOptions,
  settings: Readonly<Record<string, string>>,
): Promise<Buffer> {
  const env = {
    PATH: own['PATH'],
    HOME: own['HOME'],
    XDG_CONFIG_HOME: own['XDG_CONFIG_HOME'],
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workTree,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: protocol,
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
    // `-c` cannot be used: a filter's name may contain "=".
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
  return new Promise((done, fail) => {
    const limits = { encoding: 'buffer', maxBuffer: maxAnswerBytes, timeout: timeoutMs, windowsHide: true } as const;
    const child = execFile('git', ['--no-pager', ...args], { cwd, env, ...limits }, (error, stdout, stderr) => {
      if (error === null) return done(stdout);
      const said = stderr.toString('utf8').trim().split('\n').at(-1) ?? '';
      fail(new GitFailure(said === '' ? error.message : said, error.code ?? undefined, stdout));
    });
    // Git may end before it has read everything; its exit code says why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/**
 * Settings that switch off each filter of the repository's own configuration. A filter can only be switched off by name.
 */
function withoutFilters(listed: string): Readonly<Record<string, string>> {
  const parts = listed.split('\0');
  const names = new Set<string>();
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const name = /^filter\.(.+)\.\w+$/s.exec(parts[at + 1] ?? '')?.[1];
    if (name !== undefined && ['local', 'worktree'].includes(parts[at] ?? '')) names.add(name);
  }
  const off = { clean: '', smudge: '', process: '', required: 'false' };
  return Object.fromEntries(
    [...names].flatMap((name) => Object.entries(off).map(([key, value]) => [`filter.${name}.${key}`, value])),
  );
}

/** Makes an empty repository in a folder, whose objects and branches it shares with no other one. */
export async function initRepository(
  folder: string,
  env: Environment,
  options: readonly string[],
): Promise<Repository> {
  const nowhere = { cwd: folder, gitDir: undefined, workTree: undefined, env };
  // Without a template, so that no hook of the user's is copied.
  await start(nowhere, ['init', '--quiet', '--template=', ...options, folder], {}, switchedOff);
  return { cwd: folder, gitDir: join(folder, '.git'), workTree: folder, env };
}

/** Whether `git add` would leave a file out. A file that git already tracks is not ignored. */
export async function isIgnored(file: string, env: Environment): Promise<boolean> {
  const repository = findRepository(dirname(file), env, true);
  if (repository === undefined) return false;
  return (await tryGit(repository, ['check-ignore', '--quiet', '--', file])) !== undefined;
}
