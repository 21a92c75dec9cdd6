import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '../problem.ts';

/** What an attempt returns whose commit was a conflict. */
export const again = Symbol('again');

/** Each loss is somebody else's success, so among this many who want the same row everybody gets it. */
const attempts = 100;
const longestPauseMs = 25;

/**
 * Reads, decides and commits anew until nobody was faster, so that the answer fits what is in the store. `otherwise` is what
 * is thrown if others were faster every time. Those of this process who lost at the same `row` try one after the other: a
 * hundred at once would lose to each other a hundred times. The store alone decides who wins.
 */
export async function retry<T>(
  attempt: () => Promise<T | typeof again>,
  otherwise: () => Problem | Promise<Problem>,
  row?: string,
): Promise<T> {
  const first = await attempt();
  if (first !== again) return first;
  const leave = row === undefined ? undefined : await stand(row);
  try {
    for (let round = 1; round < attempts; round++) {
      // Apart from each other, so that many who want the same row take turns.
      await sleep(Math.random() * Math.min(2 ** round, longestPauseMs));
      const answer = await attempt();
      if (answer !== again) return answer;
    }
  } finally {
    leave?.();
  }
  throw await otherwise();
}

/** Who waits for the same row, the last one first. */
const queues = new Map<string, Promise<void>>();

/** Waits for those before; returns how to let the next one go on. */
async function stand(row: string): Promise<() => void> {
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
