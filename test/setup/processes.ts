import { readFileSync, readdirSync } from 'node:fs';
import { until } from './until.ts';

/** This machine's processes, as /proc has them; where there is none (macOS) nothing is found. */
export interface Found {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly environment: string;
}

/** Processes that the predicate knows by their command line or environment. The dead that nobody has reaped are none. */
export function processes(wanted: (found: Found) => boolean): Found[] {
  return pids()
    .map((pid) => ({
      pid,
      parent: Number(fieldsOf(pid)[1]),
      command: read(pid, 'cmdline').replaceAll('\0', ' ').trim(),
      environment: read(pid, 'environ'),
    }))
    .filter((found) => wanted(found) && isAlive(found.pid));
}

/** A zombie is dead; its parent (a test's, or a container's init) has only not looked yet. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !['Z', 'X'].includes(fieldsOf(pid)[0] ?? '');
}

/** Kills what it finds until there is nothing left: one that dies may just have started another. */
export async function killAll(wanted: (found: Found) => boolean): Promise<void> {
  await until('every process of the test has ended', () => {
    const left = processes(wanted);
    for (const { pid } of left) kill(pid);
    return left.length === 0;
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

/** State, parent and so on: what stands behind the name, which may contain anything. */
function fieldsOf(pid: number): string[] {
  const stat = read(pid, 'stat');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
