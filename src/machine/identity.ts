import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readProcess } from './process-table.ts';

let known: string | undefined;

/**
 * Where process ids mean the same: the host, and on Linux its process namespace too, because containers often share the
 * host's name.
 */
export function thisMachine(): string {
  known ??= `${hostname()}${namespace()}`;
  return known;
}

function namespace(): string {
  try {
    return `/${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}`;
  } catch {
    return ''; // Not Linux.
  }
}

/** Tells a process from a later one with the same id; undefined where there is none. */
export function startOf(pid: number): string | undefined {
  return readProcess(pid)?.start;
}

export function isAlive(pid: number, start: string): boolean {
  const found = readProcess(pid);
  return found !== undefined && !found.gone && found.start === start;
}
