import type { Identity } from './identity.ts';
import type { ProcessEntry } from './proc.ts';
import { environmentOf, listProcesses } from './process-table.ts';

/** A process and all its descendants, also those that left its group or lost their parent. */
export interface Tree {
  /** A variable in the environment of each of them; no other tree has the same value. */
  readonly mark: { readonly name: string; readonly value: string };
  /** The leader of a process group of its own. Undefined if its start could not be recorded. */
  readonly root: Identity | undefined;
}

/** The variable of a process that belongs to no tree, whichever process started it. */
export const apartMarker = 'SEKISHO_FLEET_HOST';

const shortestPollMs = 5;
const longestPollMs = 50;
const killMs = 5000;

/** Finds the living processes of a tree by descent, group and mark: a child can leave its group or lose its parent. */
export function findTree({ mark, root }: Tree): readonly number[] {
  const all = listProcesses().filter((one) => !one.gone && one.pid !== process.pid && one.pid > 1);
  const leader = root === undefined ? undefined : all.find((one) => one.pid === root.pid);
  // Another process has this id now, so the group of that number is not ours either.
  const isReused = leader !== undefined && leader.start !== root?.start;
  // All processes of the tree started after its root: the environments of others need not be read.
  const since = root === undefined ? undefined : ticksOf(root.start);
  // No process survives a restart of the machine, and process ids start over.
  const boot = root === undefined ? undefined : bootOf(root.start);
  if (boot !== undefined && all.some((one) => (bootOf(one.start) ?? boot) !== boot)) return [];
  const found = new Map<number, ProcessEntry>();
  const isForeign = (one: ProcessEntry) => {
    const value = environmentOf(one.pid, mark.name);
    return (value !== undefined && value !== mark.value) || environmentOf(one.pid, apartMarker) !== undefined;
  };
  const add = (one: ProcessEntry) => {
    if (found.has(one.pid) || isForeign(one)) return;
    found.set(one.pid, one);
    for (const child of all) if (child.parent === one.pid) add(child);
  };
  for (const one of all) {
    const inGroup = root !== undefined && !isReused && (one.pid === root.pid || one.group === root.pid);
    const isYounger = since === undefined || ticksOf(one.start) === undefined || (ticksOf(one.start) ?? 0) >= since;
    if (isYounger && (inGroup || environmentOf(one.pid, mark.name) === mark.value)) add(one);
  }
  return [...found.keys()];
}

/** The start time on Linux, in clock ticks since boot. */
function ticksOf(start: string): number | undefined {
  const ticks = /^[0-9a-f]{8}:(\d+)$/.exec(start)?.[1];
  return ticks === undefined ? undefined : Number(ticks);
}

function bootOf(start: string): string | undefined {
  return /^([0-9a-f]{8}):\d+$/.exec(start)?.[1];
}

/** Ends a tree with SIGTERM, then SIGKILL after the grace period. Returns the processes that remain. */
export async function endTree(tree: Tree, graceMs: number): Promise<readonly number[]> {
  let left = findTree(tree);
  if (graceMs > 0 && left.length > 0) {
    signalAll(left, 'SIGTERM');
    left = await waitGone(tree, graceMs);
  }
  const deadline = performance.now() + killMs;
  while (left.length > 0 && performance.now() < deadline) {
    signalAll(left, 'SIGKILL');
    left = await waitGone(tree, longestPollMs); // Then again: it can have started another one in the meantime.
  }
  return left;
}

function signalAll(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended first.
    }
  }
}

async function waitGone(tree: Tree, ms: number): Promise<readonly number[]> {
  const deadline = performance.now() + ms;
  for (let poll = shortestPollMs; ; poll = Math.min(poll * 2, longestPollMs)) {
    const left = findTree(tree);
    if (left.length === 0 || performance.now() >= deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, poll));
  }
}
