import type { Context } from '../../kernel/context.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import type { Query } from '../../kernel/store/store.ts';

/** Reads a page of journal entries, oldest first, from one or more queries. */
export async function readEntries(
  context: Context,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  queries: (after: number, limit: number) => readonly Query[],
) {
  const found = await context.store.read(queries(decodePosition(cursor) ?? 0, limit + 1));
  const sorted = found.flat().toSorted((one, other) => Number(one['seq']) - Number(other['seq']));
  const { rows, next } = cutPage(sorted, limit, (row) => String(row['seq']));
  const entries = rows.map((row) => ({
    seq: Number(row['seq']),
    at: text(row, 'at'),
    actor: text(row, 'actor'),
    subject: text(row, 'subject'),
    kind: text(row, 'kind'),
    data: parsed(row, 'data'),
  }));
  return { entries, next };
}
