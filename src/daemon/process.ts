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

/** The log file of a background daemon; `sekisho up --log` keeps it small. */
export function logOf({ state }: DataFolder): string {
  return join(state, 'daemon.log');
}

export interface RunningDaemon extends DaemonAddress {
  readonly pid: number;
  readonly token: string;
}

/** Finds the daemon; undefined if none answers. The process is checked too: another program may have a killed daemon's port. */
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

/** Arguments and environment of a new daemon, beside those that it inherits. */
interface DaemonStart {
  readonly args?: readonly string[];
  /** Values that may contain a password: every user of a machine can read command lines. */
  readonly env?: Config['environment'];
}

/** Returns the user's daemon, and starts it if it is not running. `started`: it was not running before. */
export async function ensureDaemon(
  config: Config,
  { args = [], env: more = {} }: DaemonStart = {},
): Promise<RunningDaemon & { readonly started: boolean }> {
  const { data, root } = config.place;
  const running = await findDaemon(data);
  if (running !== undefined) return { ...running, started: false };
  mkdirSync(data.state, { recursive: true, mode: 0o700 });
  // SEKISHO_PERSON_TOKEN is consumed here, so that the daemon never gets it.
  await (await openUserStore(config)).close();
  // The daemon serves everyone, so it gets no one's token. The variables of SEKISHO_ENV_FILE are in the environment already.
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
  const child = await startInBackground(process.execPath, line, { cwd: root, env: { ...env, ...more }, output: log });
  for (let attempt = 0; attempt < tries; attempt++) {
    await pause(pauseMs);
    // Checked before `findDaemon`: if our child ended because another daemon is up, that one is found.
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    const found = await findDaemon(data);
    if (found !== undefined) return { ...found, started: found.pid === child.pid };
    if (hasEnded) break;
  }
  throw problem.DAEMON_NOT_UP({ reason: printedSince(log, before), log });
}

function printedSince(log: string, size: number): string {
  const bytes = readFileSync(log);
  // The daemon begins a new file when this one is long.
  const printed = bytes.subarray(bytes.length < size ? 0 : size).toString('utf8');
  return stripVTControlCharacters(printed).trim().slice(-mostPrinted);
}

const mostPrinted = 2000;

/** Stops the user's daemon and waits until it is gone. False if none runs; undefined if it does not stop. */
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
