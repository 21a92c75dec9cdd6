import type { Problem } from '../../../kernel/problem.ts';
import { unusableStore } from '../../unavailable.ts';
import { isBusy, diskProblemOf } from './failure.ts';

const SHORTEST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 4;
const DEADLINE_MS = 5000;
/** The deadline of a server that opens a database while another process migrates it. */
export const MIGRATION_DEADLINE_MS = 60_000;

/**
 * Runs `work`, and repeats it while another process holds a lock. SQLite's own waiting is off: it blocks the thread, and starved
 * one of four writers for 5 s. All waiters retry equally often, however long they have waited, so none starves.
 */
export async function retryWhileLocked<T>(location: string, work: () => T, deadlineMs = DEADLINE_MS): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw diskProblemOf(location, error) ?? error;
    }
    if (performance.now() > deadline) throw lockedProblem(location, deadlineMs);
    const wait = SHORTEST_WAIT_MS + Math.random() * (LONGEST_WAIT_MS - SHORTEST_WAIT_MS);
    await new Promise((resume) => setTimeout(resume, wait));
  }
}

export function lockedProblem(location: string, ms: number): Problem {
  return unusableStore(location, {
    en: `another process has kept it locked for ${ms / 1000} seconds`,
    ja: `ほかのプロセスが ${ms / 1000} 秒間ロックしたままです`,
  });
}
