import { closeSync, openSync, readSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The start time, which distinguishes it from a later process with the same id. */
  readonly start: string;
  /** It has ended and waits for its parent to collect the exit code (a zombie). */
  readonly gone: boolean;
}

let boot: string | undefined;

/** A shared buffer for files of /proc: `readFileSync` allocates 64 KiB for each, 10 MB for all processes. */
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

/** One process on Linux; undefined if there is none. Hooks load this file, so it must not import `child_process`. */
export function readProc(pid: number): ProcessEntry | undefined {
  try {
    const line = readSmall(`/proc/${pid}/stat`);
    // The name can contain anything, also spaces and parentheses.
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
