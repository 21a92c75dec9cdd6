import { closeSync, openSync, readSync } from 'node:fs';

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

export function readSmall(path: string): string {
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

/** One process of Linux; undefined where there is none. Hooks load this file, so it starts no program. */
export function readProc(pid: number): ProcessEntry | undefined {
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
