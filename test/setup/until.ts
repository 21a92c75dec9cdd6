import { setTimeout as pause } from 'node:timers/promises';

/**
 * Looks until what is found is wanted, and returns it. The limit is no promise about speed: it only ends a test that
 * would otherwise wait for ever, well after any machine would have come there.
 */
export async function until<T>(
  what: string,
  look: () => Promise<T> | T,
  wanted: (found: T) => boolean = Boolean,
  withinMs = 25_000,
): Promise<T> {
  for (const end = Date.now() + withinMs; ; await pause(15)) {
    const found = await look();
    if (wanted(found)) return found;
    if (Date.now() > end) throw new Error(`it never came to be: ${what}; last seen: ${JSON.stringify(found)}`);
  }
}
