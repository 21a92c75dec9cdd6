import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { DataFolder } from '../config/data-folder.ts';
import type { Config } from '../config/load.ts';
import { packagePath } from '../base/package.ts';
import { problem } from '../kernel/problem.ts';
import { startInBackground } from '../machine/background.ts';
import { isAlive } from '../machine/identity.ts';
import { type DaemonAddress, patienceMs, readDaemon } from './record.ts';
import { openUserStore } from '../app/user/user-store.ts';

export const tries = 100;
export const pauseMs = 100;

/** What a daemon in the background prints; `sekisho up --log` keeps it small. */
export function logOf({ state }: DataFolder): string {
  return join(state, 'daemon.log');
}

export interface RunningDaemon extends DaemonAddress {
  readonly pid: number;
  /** The agents' token for it. */
  readonly token: string;
}

/** The daemon that answers; undefined where none does. Another program may listen at the address of one that was killed. */
export async function findDaemon(data: DataFolder): Promise<RunningDaemon | undefined> {
  const daemon = readDaemon(data);
  if (daemon === undefined || !isAlive(daemon.pid, daemon.start)) return undefined;
  try {
    const answer = await fetch(new URL('/health', daemon.url), { signal: AbortSignal.timeout(patienceMs) });
    const { url, page = url, pid } = daemon;
    return answer.ok ? { url, page, pid, token: readFileSync(data.agentToken, 'utf8').trim() } : undefined;
  } catch {
    return undefined;
  }
}

/** What a daemon is started with beside what it inherits. */
interface DaemonStart {
  readonly args?: readonly string[];
  /** Whatever may hold a password: every user of a machine can read a command line. */
  readonly env?: Config['environment'];
}

interface EnsuredDaemon extends RunningDaemon {
  /** False where it ran already. */
  readonly started: boolean;
}

/** The user's daemon: the one that runs, else one that is started now. */
export async function ensureDaemon(
  config: Config,
  { args = [], env: more = {} }: DaemonStart = {},
): Promise<EnsuredDaemon> {
  const { data, root } = config.place;
  const running = await findDaemon(data);
  if (running !== undefined) return { ...running, started: false };
  mkdirSync(data.state, { recursive: true, mode: 0o700 });
  // The first person's token is taken here: it goes to no process that serves others.
  await (await openUserStore(config)).close();
  // It serves everybody, so it starts as nobody. What the file said of the environment is in it by now.
  const {
    SEKISHO_SANDBOX: _mark,
    SEKISHO_TOKEN: _own,
    SEKISHO_PERSON_TOKEN: _first,
    SEKISHO_ENV_FILE: _file,
    ...env
  } = config.environment;
  const log = logOf(data);
  const before = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const line = [packagePath('bin', 'sekisho'), 'up', '--json', '--log', log, ...args];
  const child = await startInBackground(process.execPath, line, {
    cwd: root,
    env: { ...env, ...more },
    output: log,
  });
  for (let attempt = 0; attempt < tries; attempt++) {
    await pause(pauseMs);
    // Before the look: one that ends because another daemon came up has seen that one answer.
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const found = await findDaemon(data);
    if (found !== undefined) return { ...found, started: found.pid === child.pid };
    if (hasEnded) break;
  }
  throw problem.DAEMON_NOT_UP({ reason: printedSince(log, before), log });
}

/** What a daemon printed before it ended. */
function printedSince(log: string, size: number): string {
  const bytes = readFileSync(log);
  // The daemon begins a new file when this one is long.
  const printed = bytes.subarray(bytes.length < size ? 0 : size).toString('utf8');
  return stripVTControlCharacters(printed).trim().slice(-mostPrinted);
}

const mostPrinted = 2000;

/** Ends the user's daemon and waits until it is gone. False where none runs; undefined where it does not go. */
export async function stopDaemon(data: DataFolder): Promise<boolean | undefined> {
  const found = readDaemon(data);
  if (found === undefined || !isAlive(found.pid, found.start)) return false;
  process.kill(found.pid, 'SIGTERM');
  for (let attempt = 0; attempt < tries; attempt++) {
    if (!isAlive(found.pid, found.start)) return true;
    await pause(pauseMs);
  }
  return undefined;
}
