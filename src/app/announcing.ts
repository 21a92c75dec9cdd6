import type { App } from './application.ts';

/**
 * Begins before the first thing that needs the store: the journal says that a server started before it says what was done
 * through it. A list needs no journal, and a store that was away may come back: then it begins at the next call.
 */
export function announcing(app: App, begin: () => Promise<void>, log: (error: unknown) => void): App {
  let begun: Promise<void> | undefined;
  const announce = () =>
    (begun ??= begin().catch((error: unknown) => {
      begun = undefined;
      log(error);
    }));
  return {
    ...app,
    context: async (call) => (await announce(), app.context(call)),
    watch: async (listener) => (await announce(), app.watch(listener)),
  };
}
