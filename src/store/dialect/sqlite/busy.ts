import { problem } from '../../../kernel/problem.ts';
import { isBusy, troubleOf } from './failure.ts';

const SHORTEST_WAIT_MS = 0.1;
const LONGEST_WAIT_MS = 0.5;
/** So long in all a wait blocks, because a timer takes a millisecond at least; then the event loop is left free. */
const BLOCKING_MS = 10;
const DEADLINE_MS = 5000;
const LONGEST_TURN_MS = 8;
/** A lock that was free at the first look may have been free for long. */
const SHORTER = 0.5;

const cell = new Int32Array(new SharedArrayBuffer(4));

/**
 * Tries again while another process holds a lock. SQLite's own waiting is unfair (one of four writers starved for 5 s), so it is
 * off. All who wait look equally often, however long they have waited: who looked less and less would starve.
 */
export async function whenFree<T>(location: string, work: () => T, waited = () => {}): Promise<T> {
  const begun = performance.now();
  for (;;) {
    try {
      return withoutStack(work);
    } catch (error) {
      if (!isBusy(error)) throw troubleOf(location, error) ?? traced(error);
    }
    waited();
    const so = performance.now() - begun;
    if (so > DEADLINE_MS) {
      throw problem.STORE_UNAVAILABLE({
        location,
        reason: {
          en: `another process has kept it locked for ${DEADLINE_MS / 1000} seconds`,
          ja: `ほかのプロセスが ${DEADLINE_MS / 1000} 秒間ロックしたままです`,
        },
      });
    }
    if (so < BLOCKING_MS) Atomics.wait(cell, 0, 0, somewhat());
    else await new Promise((resume) => setTimeout(resume, 1));
  }
}

/** Among eight writers each throws a dozen times before it has its turn: the stacks took a fifth of all processor time. */
function withoutStack<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** With where it came by, for whoever looks for the fault. */
function traced(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error, traced);
  return error;
}

/**
 * As `whenFree`, for one connection's writes. Who had to wait for the last one lets the others go first, about as long as their
 * turns take: who begins anew at once would find the lock free far more often than those who look for it, and every look of
 * eight is a change of process for nothing.
 */
export function inTurn(location: string): <T>(work: () => T) => Promise<T> {
  /** What the others' turns took, as far as is known. */
  let turnMs = 0;
  let ended = 0;
  return async (work) => {
    const rest = turnMs - (performance.now() - ended);
    if (rest > 0) Atomics.wait(cell, 0, 0, rest);
    const begun = performance.now();
    let looked = begun;
    try {
      return await whenFree(location, work, () => (looked = performance.now()));
    } finally {
      ended = performance.now();
      turnMs = looked === begun ? turnMs * SHORTER : Math.min(turnMs + (looked - begun) / 2, LONGEST_TURN_MS);
    }
  };
}

function somewhat(): number {
  return SHORTEST_WAIT_MS + Math.random() * (LONGEST_WAIT_MS - SHORTEST_WAIT_MS);
}
