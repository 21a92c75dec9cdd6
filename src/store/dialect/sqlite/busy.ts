import { problem } from '../../../kernel/problem.ts';
import { isBusy, troubleOf } from './failure.ts';

const SHORTEST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 4;
const DEADLINE_MS = 5000;

/**
 * Runs `work`, and again while another process holds a lock. SQLite's own waiting is off: it blocks the thread and starved one
 * of four writers for 5 s. Every waiter looks equally often, however long it has waited, so none falls behind.
 */
export async function whenFree<T>(location: string, work: () => T): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw troubleOf(location, error) ?? error;
    }
    if (performance.now() > deadline)
      throw problem.STORE_UNAVAILABLE({
        location,
        reason: {
          en: `another process has kept it locked for ${DEADLINE_MS / 1000} seconds`,
          ja: `ほかのプロセスが ${DEADLINE_MS / 1000} 秒間ロックしたままです`,
        },
      });
    const wait = SHORTEST_WAIT_MS + Math.random() * (LONGEST_WAIT_MS - SHORTEST_WAIT_MS);
    await new Promise((resume) => setTimeout(resume, wait));
  }
}
