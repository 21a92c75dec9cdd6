import { setImmediate } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { type Excerpt, journalQuery } from './journal.ts';
import type { Row } from './store.ts';

/** Rows that one look goes through. A hundredth of a second or two: nobody else of this process waits longer. */
const aLook = 20_000;

/**
 * The newest entries of an excerpt, for whoever asks of a journal of any length: what no index finds is looked for piece by
 * piece, with everybody else's requests in between, and until `signal` says that nobody waits for it any more.
 */
export async function searchJournal(
  { store, signal }: Pick<Context, 'store' | 'signal'>,
  excerpt: Omit<Excerpt, 'after' | 'from'>,
): Promise<readonly Row[]> {
  const { kinds = [], kindPrefix, actor, text, since, until, limit } = excerpt;
  const isIndexed = kinds.length === 0 && [kindPrefix, actor, text, since, until].every((one) => one === undefined);
  if (isIndexed) return (await store.read([journalQuery(excerpt)]))[0] ?? [];
  const found: Row[] = [];
  let before = excerpt.before ?? (await store.head()) + 1;
  while (before > 1 && found.length < limit) {
    const from = Math.max(1, before - aLook);
    const [rows = []] = await store.read([journalQuery({ ...excerpt, before, from, limit: limit - found.length })]);
    found.push(...rows);
    before = from;
    await setImmediate();
    if (signal.aborted) break; // Whatever is answered, nobody hears it.
  }
  return found;
}
