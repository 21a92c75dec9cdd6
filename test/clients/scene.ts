import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Home, type Outcome, asPerson, makeHome, run, sekisho } from './cli.ts';
import type { Driver } from './driver.ts';
import { type Model, type Turn, startModel } from './model/model.ts';

/** A person's project that `init` prepared for one client, with a scripted model behind that client. */
export interface Scene {
  readonly home: Home;
  readonly model: Model;
  /** What the client is started with. */
  readonly env: Readonly<Record<string, string>>;
  /** What is in the files that `init` wrote for the client. */
  setup(): readonly string[];
  /** A command of ours, by the person. */
  cli(...args: string[]): Promise<Record<string, any>>;
  /** The client itself. What leads it to us is what `init` wrote, and nothing else. */
  drive(prompt: string, cwd?: string): Promise<Outcome>;
  /** The same in the sandbox. */
  driveInside(prompt: string, cwd?: string): Promise<Outcome>;
  /** What the model was told by its tools, oldest first. */
  results(): readonly string[];
  journal(kind: string): Promise<readonly Record<string, any>[]>;
  close(): Promise<void>;
}

export async function makeScene(
  driver: Driver,
  script: (home: Home) => readonly Turn[],
  more: (home: Home) => Readonly<Record<string, string>> = () => ({}),
  init: readonly string[] = ['--client', driver.id],
): Promise<Scene> {
  const home = makeHome();
  const model = await startModel(script(home));
  const path = `${driver.folder()}:${home.env['PATH']}`;
  // Before `init`: a person has used the client, and its files have something in them.
  const env = { ...home.env, ...more(home), PATH: path, ...driver.furnish(home, model.url) };
  const person = { ...env, ...asPerson };
  const cli = async (...args: string[]) => {
    const { stdout, stderr } = await run(process.execPath, [sekisho, ...args, '--json'], {
      cwd: home.project,
      env: person,
    });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, any>;
  };
  git(home, 'init', '-q');
  const prepared = await cli('init', ...init);
  if (prepared['clients'] === undefined) throw new Error(JSON.stringify(prepared));
  const written = (prepared['clients'] as { written: readonly string[] }[]).flatMap((one) => one.written);
  return {
    home,
    model,
    env,
    setup: () => written.map((path) => readFileSync(path, 'utf8')),
    cli,
    drive: (prompt, cwd = home.project) =>
      run(join(driver.folder(), driver.id), driver.line(prompt, 'outside'), { cwd, env }),
    driveInside: (prompt, cwd = home.project) =>
      run(process.execPath, [sekisho, 'run', driver.id, ...driver.line(prompt, 'run')], { cwd, env }),
    results: () => model.seen.at(-1)?.results ?? [],
    async journal(kind) {
      const { entries } = await cli('journal', 'list', '--limit', '200');
      const found = (entries as { kind: string; data: Record<string, any> }[]).filter((one) => one.kind === kind);
      return found.map((one) => one.data);
    },
    async close() {
      await model.close();
      home.close();
    },
  };
}

/** Puts everything that is there under version control. */
export function commitAll(home: Home): void {
  git(home, 'add', '-A');
  git(home, 'commit', '-qm', 'start');
}

/** A worktree with nothing in it: nothing of what `init` wrote is under version control. */
export function addWorktree(home: Home): string {
  const tree = worktreeOf(home);
  git(home, 'commit', '-q', '--allow-empty', '-m', 'start');
  git(home, 'worktree', 'add', '-q', tree);
  return tree;
}

export function worktreeOf({ folder }: Home): string {
  return join(folder, 'tree');
}

function git({ project }: Home, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: project });
}
