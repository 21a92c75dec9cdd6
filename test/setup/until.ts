import { setTimeout as pause } from 'node:timers/promises';

/**
 * Looks until what is found is wanted, and returns it. The limit is no promise about speed: it only ends a test that
 * would otherwise wait for ever, well after any machine would have come there.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  wanted: (found: T) => boolean = Boolean,
  withinMs = 100_000,
): Promise<T> {
  const begun = Date.now();
  for (;;) {
    const found = await look();
    if (wanted(found)) return found;
    const waited = Date.now() - begun;
    if (waited > withinMs) throw new Error(`it never came to be: ${what}; last seen: ${JSON.stringify(found)}`);
    // What takes long is looked at less often: a look may cost more than what it waits for.
    await pause(Math.min(Math.max(waited / 10, 15), 200));
  }
}
