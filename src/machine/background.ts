import { spawn } from 'node:child_process';

/** Starts a program that outlives this process and its terminal. */
export function startInBackground(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { ...options, detached: true, stdio: 'ignore' });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
