import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

interface BackgroundOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file for its output; absent: the output is discarded. */
  readonly output?: string;
}

/** Starts a program that outlives this process and its terminal. */
export function startInBackground(
  program: string,
  args: readonly string[],
  { cwd, env, output }: BackgroundOptions,
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const file = output === undefined ? 'ignore' : openSync(output, 'a', 0o600);
    const child = spawn(program, [...args], { cwd, env, detached: true, stdio: ['ignore', file, file] });
    if (typeof file === 'number') closeSync(file);
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve(child);
    });
  });
}
