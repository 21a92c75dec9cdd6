import { readProcess } from './process-table.ts';

/** A process, told from a later one with the same id. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

let own: Identity | undefined;

export function thisProcess(): Identity {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '' };
  return own;
}

/** When a process began, as the system counts; undefined where there is none. */
export function startOf(pid: number): string | undefined {
  return readProcess(pid)?.start;
}

export function isAlive(pid: number, start: string): boolean {
  const found = readProcess(pid);
  return found !== undefined && !found.gone && found.start === start;
}
