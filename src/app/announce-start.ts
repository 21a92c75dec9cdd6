import { once } from '../base/once.ts';
import type { App } from './application.ts';

/**
 * Begins before the first thing that needs the store: the journal says that a server started before it says what was done
 * through it. A list needs no journal, and a store that was away may come back: then it begins at the next call.
 */
export function announceBeforeFirstUse(app: App, begin: () => Promise<void>, log: (error: unknown) => void): App {
  const begun = once(async () => {
    try {
      await begin();
      return true as const;
    } catch (error) {
      log(error);
      throw error;
    }
  });
  const announce = () => begun().catch(() => undefined); // It was logged, and the next call tries again.
  return {
    ...app,
    context: (call) => (begun.made() ? app.context(call) : announce().then(() => app.context(call))),
    watch: (listener) => announce().then(() => app.watch(listener)),
  };
}
