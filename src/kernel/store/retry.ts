import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '../problem.ts';

/** The result of an attempt whose commit was a conflict. */
export const again = Symbol('again');

/** The most attempts. Each conflict is another writer's success, so this many writers of one row all succeed. */
const attempts = 100;
const longestPauseMs = 25;

/**
 * Repeats an attempt (read, decide, commit) until it commits without a conflict, so that the answer fits the store. If every
 * attempt conflicts, it throws `otherwise`. Attempts of this process that conflicted on the same `row` queue up: a hundred at
 * once would conflict with each other a hundred times. The store alone decides which one wins.
 */
export async function retry<T>(
  attempt: () => Promise<T | typeof again>,
  otherwise: () => Problem | Promise<Problem>,
  row?: string,
): Promise<T> {
  const first = await attempt();
  if (first !== again) return first;
  const leave = row === undefined ? undefined : await enterQueue(row);
  try {
    for (let round = 1; round < attempts; round++) {
      // A random pause, so that processes that want the same row take turns.
      await sleep(Math.random() * Math.min(2 ** round, longestPauseMs));
      const answer = await attempt();
      if (answer !== again) return answer;
    }
  } finally {
    leave?.();
  }
  throw await otherwise();
}

/** The end of the queue for each row. */
const queues = new Map<string, Promise<void>>();

/** Waits for its turn. Returns a function that lets the next one continue. */
async function enterQueue(row: string): Promise<() => void> {
  const before = queues.get(row);
  let done = () => {};
  const mine = new Promise<void>((resolve) => (done = resolve));
  queues.set(row, mine);
  await before;
  return () => {
    if (queues.get(row) === mine) queues.delete(row);
    done();
  };
}
