import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DataFolder } from '../config/data-folder.ts';
import type { Config } from '../config/load.ts';
import { packaged } from '../kernel/package.ts';
import { startInBackground } from '../machine/background.ts';
import { isAlive } from '../machine/identity.ts';
import type { RunningDaemon } from './daemon.ts';
import { findDaemon, readDaemon } from './daemon.ts';
import { openUserStore } from './user-store.ts';

const tries = 100;
const pauseMs = 100;

/** What a daemon in the background prints; `sekisho up --log` keeps it small. */
export function logOf({ state }: DataFolder): string {
  return join(state, 'daemon.log');
}

/** What a daemon is started with beside what it inherits. */
interface DaemonStart {
  readonly args?: readonly string[];
  /** Whatever may hold a password: every user of a machine can read a command line. */
  readonly env?: Config['environment'];
}

/** The user's daemon: the one that runs, else one that is started now. Undefined where it did not come up. */
export async function ensureDaemon(
  config: Config,
  { args = [], env: more = {} }: DaemonStart = {},
): Promise<RunningDaemon | undefined> {
  const { data, root } = config.place;
  const running = await findDaemon(data);
  if (running !== undefined) return running;
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
  const line = [packaged('bin', 'sekisho'), 'up', '--json', '--log', log, ...args];
  await startInBackground(process.execPath, line, { cwd: root, env: { ...env, ...more }, output: log });
  for (let attempt = 0; attempt < tries; attempt++) {
    await pause(pauseMs);
    const started = await findDaemon(data);
    if (started !== undefined) return started;
  }
  return undefined;
}

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
