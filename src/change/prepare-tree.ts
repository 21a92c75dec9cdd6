import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import type { Say } from '../kernel/text/text.ts';
import { runProgram } from '../machine/run-program.ts';
import type { Confine } from '../sandbox/port.ts';
import { TreeRefusal } from './refusal.ts';
import { phrase } from './phrase.ts';

/** `worktree:` of the configuration: what a new tree needs before somebody can work in it. */
export interface TreeSetup {
  /** A command that is run once in each tree. */
  readonly setup?: readonly string[] | undefined;
  /** Files that are copied from the main checkout. */
  readonly copy: readonly string[];
  /** Folders of the main checkout that the tree links to. */
  readonly link: readonly string[];
  /** Files whose change makes `setup` run again: lock files. */
  readonly when: readonly string[];
}

export interface TreePlace {
  /** The project's folder in the main checkout and in the tree. */
  readonly root: string;
  readonly tree: string;
  /** The tree's own `.git`. */
  readonly gitDir: string;
}

const setupMs = 30 * 60 * 1000;
const shownOutput = 4000;

/**
 * Prepares a tree as the configuration says. Returns the digest of what `setup` was run for, which the next attempt
 * compares. Throws a `TreeRefusal` with the output if the command fails.
 */
export async function prepareTree(
  { root, tree, gitDir }: TreePlace,
  setup: TreeSetup,
  before: string | null,
  run: { readonly confine: Confine; readonly env: Environment; readonly say: Say; readonly signal: AbortSignal },
): Promise<string | null> {
  for (const path of setup.copy) place(root, tree, path, (from, to) => cpSync(from, to, { recursive: true }));
  for (const path of setup.link) place(root, tree, path, (from, to) => symlinkSync(from, to));
  const placed = [...setup.copy, ...setup.link].map((one) => `/${one}`);
  if (placed.length > 0 && existsSync(join(gitDir, 'info')))
    writeFileSync(join(gitDir, 'info', 'exclude'), `${placed.join('\n')}\n`);
  if (setup.setup === undefined) return null;
  const digest = digestOf(tree, setup);
  if (digest !== before) await runSetup(tree, setup.setup, run);
  return digest;
}

function place(root: string, tree: string, path: string, put: (from: string, to: string) => void): void {
  const [from, to] = [join(root, path), join(tree, path)];
  if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return;
  if (!existsSync(from)) throw new TreeRefusal(phrase.nothingToCopy({ path: from }));
  mkdirSync(dirname(to), { recursive: true });
  put(from, to);
}

function digestOf(tree: string, { setup, when }: TreeSetup): string {
  const hash = createHash('sha256').update(JSON.stringify(setup));
  for (const path of when) {
    const file = join(tree, path);
    hash.update(`\n${path} `).update(existsSync(file) ? readFileSync(file) : '-');
  }
  return hash.digest('hex');
}

async function runSetup(
  tree: string,
  line: readonly string[],
  { confine, env, say, signal }: Parameters<typeof prepareTree>[3],
): Promise<void> {
  const command = line.join(' ');
  const failed = (outcome: string, output: string) =>
    new TreeRefusal((lang) => phrase.setupFailed({ command, outcome, output: output.trim() })(lang));
  const launch = await confine({ line, tree, env });
  if ('refused' in launch) throw failed(say(phrase.setupRefused({ reason: say(launch.refused) })), '');
  let output = '';
  const end = await runProgram([launch.program, ...launch.args], {
    cwd: tree,
    env: launch.env,
    descriptors: launch.descriptors,
    onStart: () => launch.started(),
    timeoutMs: setupMs,
    signal,
    onOutput: (chunk) => {
      output = (output + chunk.toString('utf8')).slice(-shownOutput);
    },
  });
  await launch.ended();
  if (end.exitCode === 0) return;
  const outcome = end.timedOut
    ? say(phrase.setupTimeout({ minutes: setupMs / 60_000 }))
    : (end.error ?? say(phrase.setupExit({ code: end.exitCode ?? -1 })));
  throw failed(outcome, output);
}
