import { type ProcessEntry, readProc } from './proc.ts';
import { thisMachine } from './this-machine.ts';

/** A process as the store names it: no later one, on this machine or another, has the same name. */
export function processName({ pid, start }: Pick<ProcessEntry, 'pid' | 'start'>): string {
  return `${processPrefix()}${pid}:${start}`;
}

/** How the names of this machine's processes begin. */
export function processPrefix(): string {
  return `process:${thisMachine()}:`;
}

/** The processes that this one was started by, the nearest first, without the one that the system begins with. */
export async function ancestors(): Promise<readonly ProcessEntry[]> {
  const look = process.platform === 'linux' ? readProc : await lookUp();
  const found: ProcessEntry[] = [];
  for (let pid = process.ppid; pid > 1;) {
    const one = look(pid);
    if (one === undefined) break;
    found.push(one);
    pid = one.parent;
  }
  return found;
}

/** One look at the whole table is all that macOS offers. It starts a program, which a hook on Linux need not load. */
async function lookUp(): Promise<(pid: number) => ProcessEntry | undefined> {
  const { listProcesses } = await import('./process-table.ts');
  const table = new Map(listProcesses().map((one) => [one.pid, one]));
  return (pid) => table.get(pid);
}
