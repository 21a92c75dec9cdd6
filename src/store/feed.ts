import type { Recorded } from '../kernel/store/store.ts';
import type { Engine } from './engine.ts';
import { isProblem } from '../kernel/problem.ts';

const PAGE = 500;
const SAFETY_POLL_MS = 500;

/** Follows the journal by sequence number. Hints only shorten the wait: a lost hint costs time, never an entry. */
export function createFeed(engine: Engine) {
  let hints = 0;
  let followers = 0;
  let closed = false;
  let unwatch = (): void => {};
  const sleepers = new Set<() => void>();
  const watchers = new Set<() => void>();

  function hint(): void {
    hints += 1;
    for (const wake of sleepers) wake();
    sleepers.clear();
    for (const watcher of watchers) watcher();
  }

  function enter(): void {
    followers += 1;
    if (followers > 1) return;
    const stop = engine.watch(hint);
    const poll = setInterval(hint, SAFETY_POLL_MS).unref();
    unwatch = () => {
      clearInterval(poll);
      stop();
    };
  }

  function leave(): void {
    followers -= 1;
    if (followers === 0) unwatch();
  }

  async function page(seq: number): Promise<readonly Recorded[]> {
    try {
      return await engine.after(seq, PAGE);
    } catch (error) {
      // The database can be unavailable for a while; the next poll tries again.
      if (closed || isProblem(error)) return [];
      throw error;
    }
  }

  async function* follow(seq: number, signal: AbortSignal): AsyncGenerator<Recorded> {
    if (closed || signal.aborted) return;
    const over = (): boolean => closed || signal.aborted;
    let last = seq;
    signal.addEventListener('abort', hint);
    enter();
    try {
      while (!over()) {
        // Taken before reading: a commit during the read leads to another read.
        const seen = hints;
        const entries = await page(last);
        for (const entry of entries) {
          if (over()) return;
          last = entry.seq;
          yield entry;
        }
        if (entries.length < PAGE && hints === seen && !over()) await new Promise<void>((wake) => sleepers.add(wake));
      }
    } finally {
      signal.removeEventListener('abort', hint);
      leave();
    }
  }

  return {
    follow,
    /** Calls `hint` when something may have been committed. */
    watch(given: () => void): () => void {
      if (closed) return () => {};
      // A function of its own, since the same one can watch twice.
      const watcher = (): void => given();
      watchers.add(watcher);
      enter();
      return () => {
        if (watchers.delete(watcher)) leave();
      };
    },
    /** Ends every follower and watcher. */
    close() {
      closed = true;
      for (const _watcher of watchers) leave();
      watchers.clear();
      hint();
    },
  };
}
