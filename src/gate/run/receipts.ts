import { receiptsQuery } from '../../kernel/journal.ts';
import { parsed } from '../../kernel/row.ts';
import type { Store } from '../../kernel/store.ts';
import type { Receipt } from '../guard.ts';
import type { Entered } from './baseline.ts';

const looksBack = 200;

/** What hooks noted about this run since it entered its state, newest first. */
export async function readReceipts(store: Store, run: Entered): Promise<readonly Receipt[]> {
  const [rows = []] = await store.read([receiptsQuery(run.id, looksBack)]);
  return rows
    .map((row) => parsed(row, 'data') as Readonly<Record<string, unknown>>)
    .filter((one) => one['event'] === 'pre-tool-use' && one['state'] === run.state)
    .filter((one) => Number(one['revision']) >= run.entered)
    .map((one) => ({
      client: String(one['client']),
      session: typeof one['session'] === 'string' ? one['session'] : undefined,
    }));
}
