import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { type ProcessEntry, readProc, readSmall } from './proc.ts';

/** One process; undefined if there is none. */
export function readProcess(pid: number): ProcessEntry | undefined {
  return process.platform === 'linux' ? readProc(pid) : listProcesses().find((one) => one.pid === pid);
}

/** The ids of all processes (Linux only): the names of their folders in /proc. */
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

/** A variable of the environment that a process was started with; undefined if it is not set or cannot be read. */
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
