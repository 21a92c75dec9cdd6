import { setTimeout as sleep } from 'node:timers/promises';

const attempts = 40;

/** Reads, decides and commits until a commit was not overtaken; undefined where it was, every time. */
export async function persist<T>(attempt: () => Promise<T | undefined>): Promise<T | undefined> {
  for (let round = 0; round < attempts; round++) {
    const done = await attempt();
    if (done !== undefined) return done;
    // Apart from each other, so that many who want the same row take turns.
    await sleep(Math.random() * Math.min(2 ** round, 25));
  }
  return undefined;
}
