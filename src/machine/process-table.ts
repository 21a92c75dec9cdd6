import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Tells it from a later process with the same id. */
  readonly start: string;
  /** Ended, and only waiting for its parent to ask. */
  readonly gone: boolean;
}

let boot: string | undefined;

/** Files of /proc tell no size, and `readFileSync` takes 64 KiB for each: looking at every process would cost a host 10 MB. */
const buffer = Buffer.allocUnsafeSlow(128 * 1024);

function readSmall(path: string): string {
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read)
      read = readSync(file, buffer, length, buffer.length - length, null);
    return buffer.toString('latin1', 0, length);
  } finally {
    closeSync(file);
  }
}

/** One process; undefined where there is none. */
export function readProcess(pid: number): ProcessEntry | undefined {
  if (process.platform !== 'linux') return listProcesses().find((one) => one.pid === pid);
  try {
    const line = readSmall(`/proc/${pid}/stat`);
    // The name may contain anything, spaces and parentheses too.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    boot ??= readSmall('/proc/sys/kernel/random/boot_id').slice(0, 8);
    return {
      pid,
      parent: Number(fields[1]),
      group: Number(fields[2]),
      start: `${boot}:${fields[19]}`,
      gone: fields[0] === 'Z' || fields[0] === 'X',
    };
  } catch {
    return undefined;
  }
}

/** On Linux, as their folders in /proc are named. */
export function processIds(): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

export function listProcesses(): readonly ProcessEntry[] {
  if (process.platform === 'linux')
    return processIds()
      .map((pid) => readProcess(Number(pid)))
      .filter((one) => one !== undefined);
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, group, state, start]) => ({
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      start: String(start),
      gone: String(state).startsWith('Z'),
    }));
}

/** What a process was started with under this name; undefined where that is unknown or none of ours to read. */
export function environmentOf(pid: number, name: string): string | undefined {
  try {
    const environment = readSmall(`/proc/${pid}/environ`);
    const at = environment.startsWith(`${name}=`) ? 0 : environment.indexOf(`\0${name}=`) + 1;
    if (at === 0 && !environment.startsWith(`${name}=`)) return undefined;
    return environment.slice(at + name.length + 1).split('\0', 1)[0];
  } catch {
    return undefined;
  }
}
