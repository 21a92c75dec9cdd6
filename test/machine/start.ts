import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const fixtures = join(import.meta.dirname, '../fixtures/machine');

export interface Started {
  readonly child: ChildProcess;
  /** Its own id, then those of what it started. */
  readonly pids: readonly [number, ...number[]];
}

/** Starts a program as the leader of its own group, and waits until it has printed its ids. */
export async function start(
  line: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<Started> {
  const child = spawn(line[0], line.slice(1), {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], ...env },
  });
  const [printed] = (await once(createInterface(child.stdout), 'line')) as [string];
  const pids = printed.split(' ').map(Number) as [number, ...number[]];
  // A failed test leaves no process behind.
  onTestFinished(() => {
    for (const pid of pids) kill(pid);
  });
  return { child, pids };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone, as it should be.
  }
}

export function startFixture(name: string, args: readonly string[], env?: Readonly<Record<string, string>>) {
  return start([process.execPath, join(fixtures, `${name}.mjs`), ...args], env);
}

/** Its parent never asks how it ended. Linux only: `exec` leaves the child to a program that does not know of it. */
export async function startZombie(env?: Readonly<Record<string, string>>) {
  return start(['sh', '-c', 'sleep 0 & echo $$ $!; exec sleep 60'], env);
}
