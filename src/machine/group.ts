import { setTimeout as pause } from 'node:timers/promises';

/** Signals all processes of a group. False if there are none. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
    return true;
  } catch {
    return false;
  }
}

export async function waitForGroup(leader: number, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end && signalGroup(leader, 0);) await pause(10);
}

/** Ends a group with SIGTERM, and with SIGKILL after the grace period. */
export async function endGroup(leader: number, graceMs: number): Promise<void> {
  if (signalGroup(leader, 'SIGTERM')) await waitForGroup(leader, graceMs);
  signalGroup(leader, 'SIGKILL');
}
