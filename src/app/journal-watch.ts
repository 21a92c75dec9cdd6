import type { Log } from '../kernel/context.ts';
import { stackOf } from '../base/failure.ts';
import type { Recorded, Store } from '../kernel/store/store.ts';

type Listener = (recorded: Recorded) => void;

/** One feed of the journal for all listeners of this process. It starts with the first one. */
export function createJournalWatch(store: () => Promise<Store>, log: Log, signal: AbortSignal) {
  const listeners = new Set<Listener>();
  let following: Promise<void> | undefined;

  /** Calls a listener. If it fails, the feed continues for the others. */
  const tell = (listener: Listener, recorded: Recorded) => {
    try {
      listener(recorded);
    } catch (error) {
      log.error('a listener of the journal failed', { stack: stackOf(error) });
    }
  };

  const follow = async () => {
    const open = await store();
    const from = await open.head();
    void (async () => {
      for await (const recorded of open.follow(from, signal))
        for (const listener of listeners) tell(listener, recorded);
    })().catch((error: unknown) => {
      following = undefined; // The next listener starts a new feed.
      log.error('the feed of the journal ended', { reason: String(error) });
    });
  };

  return async (listener: Listener): Promise<() => void> => {
    listeners.add(listener);
    following ??= follow().catch((error: unknown) => {
      following = undefined;
      throw error;
    });
    try {
      await following;
    } catch (error) {
      // The caller gets the error and may try again.
      listeners.delete(listener);
      throw error;
    }
    return () => listeners.delete(listener);
  };
}
