import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

let machine: string | undefined;

/** The scope in which process ids are unique: the host and its process namespace, since containers share host names. */
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
