import { readProcess } from './process-table.ts';

/** A process id with its start time, which distinguishes it from a later process with the same id. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

let own: Identity | undefined;

export function thisProcess(): Identity {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '' };
  return own;
}

/** The start time of a process in the system's own format; undefined if there is no such process. */
export function startOf(pid: number): string | undefined {
  return readProcess(pid)?.start;
}

export function isAlive(pid: number, start: string): boolean {
  const found = readProcess(pid);
  return found !== undefined && !found.gone && found.start === start;
}
