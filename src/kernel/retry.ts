import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from './problem.ts';

/** What an attempt returns whose commit was a conflict. */
export const again = Symbol('again');

/** Each loss is somebody else's success, so among this many who want the same row everybody gets it. */
const attempts = 100;
const longestPauseMs = 25;

/**
 * Reads, decides and commits anew until nobody was faster, so that the answer fits what is in the store. `otherwise` is what
 * is thrown if others were faster every time.
 */
export async function retry<T>(
  attempt: () => Promise<T | typeof again>,
  otherwise: () => Problem | Promise<Problem>,
): Promise<T> {
  for (let round = 0; round < attempts; round++) {
    const answer = await attempt();
    if (answer !== again) return answer;
    // Apart from each other, so that many who want the same row take turns.
    await sleep(Math.random() * Math.min(2 ** round, longestPauseMs));
  }
  throw await otherwise();
}
