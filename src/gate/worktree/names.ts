import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Environment } from '../../base/environment.ts';
import { type Repository, findRepository, runGit } from '../../machine/git.ts';
import { type IsIgnored, flattenRules, compileIgnoreRules, readRules } from './ignore.ts';

/** The ignore rules of a repository, or of a folder without one, as they were read. */
export interface Rules {
  readonly git: boolean;
  readonly lines: readonly string[];
}

export interface FolderListing {
  /** Paths relative to the folder, as 'latin1' byte strings: a file name need not be valid UTF-8. */
  readonly names: readonly string[];
  readonly rules: Rules;
}

export function pathOf(root: string | Buffer, name: string): string | Buffer {
  if (typeof root === 'string' && isAscii(name)) return `${root}/${name}`;
  const base = typeof root === 'string' ? Buffer.from(root) : root;
  return Buffer.concat([base, Buffer.from('/'), Buffer.from(name, 'latin1')]);
}

function isAscii(name: string): boolean {
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) > 127) return false;
  return true;
}

/** Lists a folder's files by the given rules, else the current ones. A nested repository is one name. */
export async function listFolder(
  place: string | Buffer,
  given: Rules | undefined,
  env: Environment,
  upwards: boolean,
): Promise<FolderListing> {
  const repository = typeof place === 'string' ? findRepository(place, env, upwards) : undefined;
  if (given?.git === true && repository === undefined) throw new Error('the git repository is no longer there');
  if (repository === undefined || given?.git === false) return walkFolder(place, given?.lines);
  try {
    const lines = given?.lines ?? (await gitRules(repository));
    return { names: await gitNames(repository, lines), rules: { git: true, lines } };
  } catch (error) {
    // Git is not installed: walk the folder. A repository that git cannot read is an error.
    if (given === undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') return walkFolder(place, undefined);
    throw error;
  }
}

/** Lists all current ignore rules; later rules override earlier ones. */
async function gitRules(repository: Repository): Promise<readonly string[]> {
  const { cwd, workTree, env } = repository;
  const [info, configured] = await Promise.all([
    runGit(repository, ['rev-parse', '--path-format=absolute', '--git-path', 'info/exclude']),
    runGit(repository, ['config', '--type=path', 'core.excludesFile']).catch(() => undefined),
  ]);
  const settings = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config');
  const everywhere = configured?.toString().trim() || join(settings, 'git', 'ignore');
  const lines = [...flattenRules('', readRules(everywhere)), ...flattenRules('', readRules(info.toString().trimEnd()))];
  // Rule files above the tree, from the top down.
  const above = relative(workTree, cwd).split('/');
  const prefix = above[0] === '' ? '' : above.join('/');
  for (let depth = 0; prefix !== '' && depth < above.length; depth++) {
    const folder = above.slice(0, depth).join('/');
    lines.push(...flattenRules(latin1(folder), readRules(join(workTree, folder, '.gitignore'))));
  }
  // A rule file may ignore itself; one in an ignored folder is not read.
  const listed = splitNames(
    await runGit(repository, ['ls-files', '-z', '-c', '-o', '--exclude-standard', '--exclude=!.gitignore']),
  );
  const files = [...new Set(listed)].filter((name) => name === '.gitignore' || name.endsWith('/.gitignore'));
  const depthOf = (name: string) => name.split('/').length;
  for (const name of files.toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const folder = [latin1(prefix), name.slice(0, -'/.gitignore'.length)].filter((one) => one !== '').join('/');
    lines.push(...flattenRules(folder, readRules(pathOf(cwd, name))));
  }
  return lines;
}

async function gitNames(repository: Repository, lines: readonly string[]): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-rules-'));
  try {
    const file = join(folder, 'exclude');
    writeFileSync(file, `${lines.join('\n')}\n`, 'latin1');
    return splitNames(await runGit(repository, ['ls-files', '-z', '-c', '-o', `--exclude-from=${file}`]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function splitNames(output: Buffer): readonly string[] {
  const names = output.toString('latin1').split('\0');
  names.pop();
  return names;
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Lists the files without git: everything that no `.gitignore` above it ignores, and never `node_modules`. */
function walkFolder(root: string | Buffer, given: readonly string[] | undefined): FolderListing {
  const start = given ?? ['/**/node_modules/'];
  const names: string[] = [];
  const collected = [...start];
  const visit = (folder: string, above: readonly string[], aboveIgnores: IsIgnored): void => {
    const place = folder === '' ? root : pathOf(root, folder);
    const own = given === undefined ? flattenRules(folder, readRules(pathOf(place, '.gitignore'))) : [];
    collected.push(...own);
    const rules = own.length > 0 ? [...above, ...own] : above;
    const isIgnored = own.length > 0 ? compileIgnoreRules(rules) : aboveIgnores;
    for (const one of readdirSync(place, { withFileTypes: true, encoding: 'buffer' })) {
      // The type says string whatever the encoding.
      const base = Buffer.from(one.name).toString('latin1');
      const name = folder === '' ? base : `${folder}/${base}`;
      if (base === '.git' || isIgnored(name, one.isDirectory())) continue;
      if (one.isDirectory()) visit(name, rules, isIgnored);
      else names.push(name);
    }
  };
  visit('', start, compileIgnoreRules(start));
  return { names, rules: { git: false, lines: collected } };
}
