import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readProcess } from './process-table.ts';

/** A process, told from a later one with the same id. */
export interface Identity {
  readonly pid: number;
  readonly start: string;
}

let machine: string | undefined;
let own: Identity | undefined;

/**
 * Where process ids mean the same: the host, and on Linux its process namespace too, because containers often share the
 * host's name.
 */
export function thisMachine(): string {
  machine ??= `${hostname()}${namespace()}`;
  return machine;
}

export function thisProcess(): Identity {
  own ??= { pid: process.pid, start: startOf(process.pid) ?? '' };
  return own;
}

function namespace(): string {
  try {
    return `/${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}`;
  } catch {
    return ''; // Not Linux.
  }
}

/** When a process began, as the system counts; undefined where there is none. */
export function startOf(pid: number): string | undefined {
  return readProcess(pid)?.start;
}

export function isAlive(pid: number, start: string): boolean {
  const found = readProcess(pid);
  return found !== undefined && !found.gone && found.start === start;
}
