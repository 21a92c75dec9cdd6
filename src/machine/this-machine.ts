import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

let machine: string | undefined;

/**
 * The name of the scope in which process ids are unique: the host and, on Linux, its process namespace, because containers
 * often share the host's name.
 */
export function thisMachine(): string {
  machine ??= `${hostname()}${namespace()}`;
  return machine;
}

function namespace(): string {
  try {
    return `/${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}`;
  } catch {
    return ''; // Not Linux.
  }
}
