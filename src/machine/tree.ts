import type { ProcessEntry } from './process-table.ts';
import { environmentOf, listProcesses } from './process-table.ts';

/** The processes of one agent. */
export interface Tree {
  readonly agentId: string;
  /** Its child, which leads a process group of its own. Absent where the host died before it could say. */
  readonly root: { readonly pid: number; readonly start: string } | undefined;
}

/** Every process of an agent has this in its environment, and so has whatever it starts. */
export const agentMarker = 'SEKISHO_AGENT_ID';
/** A host is not part of the agent whose server started it: agents that an agent starts are agents of their own. */
export const hostMarker = 'SEKISHO_FLEET_HOST';

const pollMs = 50;
const killMs = 5000;

/**
 * By descent, by process group and by the mark in the environment: a grandchild that left the group or lost its parent is
 * found by the others.
 */
export function findTree({ agentId, root }: Tree): readonly number[] {
  const all = listProcesses().filter((one) => !one.gone && one.pid !== process.pid && one.pid > 1);
  const leader = root === undefined ? undefined : all.find((one) => one.pid === root.pid);
  // Another process has this id by now, so the group of that number is another's too.
  const reused = leader !== undefined && leader.start !== root?.start;
  // Whatever belongs to it began after it: the environment of all others need not be read.
  const since = root === undefined ? undefined : ticksOf(root.start);
  const found = new Map<number, ProcessEntry>();
  const foreign = (one: ProcessEntry) => {
    const mark = environmentOf(one.pid, agentMarker);
    return (mark !== undefined && mark !== agentId) || environmentOf(one.pid, hostMarker) !== undefined;
  };
  const add = (one: ProcessEntry) => {
    if (found.has(one.pid) || foreign(one)) return;
    found.set(one.pid, one);
    for (const child of all) if (child.parent === one.pid) add(child);
  };
  for (const one of all) {
    const inGroup = root !== undefined && !reused && (one.pid === root.pid || one.group === root.pid);
    const young = since === undefined || ticksOf(one.start) === undefined || (ticksOf(one.start) ?? 0) >= since;
    if (inGroup || (young && environmentOf(one.pid, agentMarker) === agentId)) add(one);
  }
  return [...found.keys()];
}

/** When it started, as Linux counts. */
function ticksOf(start: string): number | undefined {
  const ticks = /^[0-9a-f]{8}:(\d+)$/.exec(start)?.[1];
  return ticks === undefined ? undefined : Number(ticks);
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended first.
    }
  }
}

/** TERM, the grace, KILL; returns what could not be ended. */
export async function endTree(tree: Tree, graceMs: number): Promise<readonly number[]> {
  let left = findTree(tree);
  if (graceMs > 0) {
    signal(left, 'SIGTERM');
    left = await waitGone(tree, graceMs);
  }
  const deadline = performance.now() + killMs;
  while (left.length > 0 && performance.now() < deadline) {
    signal(left, 'SIGKILL');
    left = await waitGone(tree, pollMs);
  }
  return left;
}

async function waitGone(tree: Tree, ms: number): Promise<readonly number[]> {
  const deadline = performance.now() + ms;
  for (;;) {
    const left = findTree(tree);
    if (left.length === 0 || performance.now() >= deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
