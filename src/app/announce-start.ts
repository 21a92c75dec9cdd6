import { once } from '../base/once.ts';
import type { App } from './application.ts';

/**
 * Runs `begin` before the first use of the store, so that the journal has the start of a server before its actions. Listing
 * tools does not need it. If it fails because the store is unavailable, the next call tries again.
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
  const announce = () => begun().catch(() => undefined); // The error is logged above, and the next call tries again.
  return {
    ...app,
    context: (call) => (begun.made() ? app.context(call) : announce().then(() => app.context(call))),
    watch: (listener) => announce().then(() => app.watch(listener)),
  };
}
