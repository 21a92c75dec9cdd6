import { type ProcessEntry, readProc } from './proc.ts';
import { thisMachine } from './this-machine.ts';

/** The name of a process in the store. No later process has the same one, on this machine or another. */
export function processName({ pid, start }: Pick<ProcessEntry, 'pid' | 'start'>): string {
  return `${processPrefix()}${pid}:${start}`;
}

export function processPrefix(): string {
  return `process:${thisMachine()}:`;
}

/** The ancestors of this process, nearest first, without process 1. */
export async function listAncestors(): Promise<readonly ProcessEntry[]> {
  const look = process.platform === 'linux' ? readProc : await loadTable();
  const found: ProcessEntry[] = [];
  for (let pid = process.ppid; pid > 1;) {
    const one = look(pid);
    if (one === undefined) break;
    found.push(one);
    pid = one.parent;
  }
  return found;
}

/** A lookup in the whole process table, for macOS. It starts a program, which a hook on Linux need not load. */
async function loadTable(): Promise<(pid: number) => ProcessEntry | undefined> {
  const { listProcesses } = await import('./process-table.ts');
  const table = new Map(listProcesses().map((one) => [one.pid, one]));
  return (pid) => table.get(pid);
}
