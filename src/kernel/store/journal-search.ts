import { setImmediate } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { type Excerpt, journalQuery } from './journal.ts';
import type { Row } from './store.ts';

/** The rows that one read scans. It takes 10 to 20 ms, for which other requests of this process wait. */
const rowsPerRead = 20_000;

/** Reads the newest entries. A search without an index goes piece by piece, so that other requests run in between. */
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
    const from = Math.max(1, before - rowsPerRead);
    const [rows = []] = await store.read([journalQuery({ ...excerpt, before, from, limit: limit - found.length })]);
    found.push(...rows);
    before = from;
    await setImmediate();
    if (signal.aborted) break; // No one waits for the answer.
  }
  return found;
}
