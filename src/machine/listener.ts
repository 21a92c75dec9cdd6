import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readSmall } from './proc.ts';
import { processIds } from './process-table.ts';

export interface Listener {
  readonly pid: number;
  readonly name: string;
}

/** The process that listens on a TCP port. Undefined if it is another user's, and on systems without /proc. */
export function findListener(port: number): Listener | undefined {
  if (process.platform !== 'linux') return undefined;
  const sockets = listeningSockets(port);
  const pid = sockets.size === 0 ? undefined : processIds().find((one) => hasOpen(one, sockets));
  return pid === undefined ? undefined : { pid: Number(pid), name: readSmall(`/proc/${pid}/comm`).trim() };
}

/** The sockets that listen on a port, as the links in /proc/<pid>/fd name them. */
function listeningSockets(port: number): ReadonlySet<string> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const listening = '0A';
  const found = ['tcp', 'tcp6'].flatMap((kind) => readTable(`/proc/net/${kind}`));
  return new Set(
    found.flatMap(([, address, , state, , , , , , inode]) =>
      state === listening && address?.endsWith(local) === true ? [`socket:[${inode}]`] : [],
    ),
  );
}

function readTable(file: string): readonly (readonly string[])[] {
  try {
    const [, ...lines] = readFileSync(file, 'latin1').trimEnd().split('\n');
    return lines.map((line) => line.trim().split(/\s+/));
  } catch {
    return []; // A machine without IPv6 has no tcp6.
  }
}

function hasOpen(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((one) => sockets.has(linkOf(`/proc/${pid}/fd/${one}`)));
  } catch {
    return false; // The process is another user's, or it has ended.
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // It was closed in the meantime.
  }
}
