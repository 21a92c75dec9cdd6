import { problem } from '../../../kernel/problem.ts';
import { isBusy, troubleOf } from './failure.ts';

const FIRST_WAIT_MS = 0.2;
const LONGEST_WAIT_MS = 8;
const LONGEST_BLOCKING_WAIT_MS = 1;
const DEADLINE_MS = 5000;

const cell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Tries again while another process holds a lock. SQLite's own waiting is unfair (one of four writers starved for 5 s), so it is off.
 * Short waits block, because a timer takes a millisecond at least; longer ones leave the event loop free.
 */
export async function whenFree<T>(location: string, work: () => T): Promise<T> {
  let deadline = 0;
  let wait = FIRST_WAIT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw troubleOf(location, error) ?? error;
    }
    const now = performance.now();
    deadline ||= now + DEADLINE_MS;
    if (now > deadline) {
      throw problem.STORE_UNAVAILABLE({
        location,
        reason: `another process has kept it locked for ${DEADLINE_MS / 1000} seconds`,
      });
    }
    const pause = wait * (0.5 + Math.random());
    if (pause <= LONGEST_BLOCKING_WAIT_MS) Atomics.wait(cell, 0, 0, pause);
    else await new Promise((resume) => setTimeout(resume, pause));
    wait = Math.min(wait * 1.5, LONGEST_WAIT_MS);
  }
}
