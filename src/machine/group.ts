import { setTimeout as pause } from 'node:timers/promises';

/** Signals a process and everything it started that stayed in its group. True where somebody was there to hear it. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
    return true;
  } catch {
    return false;
  }
}

/** Until the group is gone, or the time is over. */
export async function waitForGroup(leader: number, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end && signalGroup(leader, 0);) await pause(10);
}

/** TERM, the grace, KILL. */
export async function endGroup(leader: number, graceMs: number): Promise<void> {
  if (signalGroup(leader, 'SIGTERM')) await waitForGroup(leader, graceMs);
  signalGroup(leader, 'SIGKILL');
}
