import { call } from '../../api/client.ts';
import type { Input } from '../../api/operations.ts';

/** The most entries of an export. To copy a longer journal, copy the database. */
const mostEntries = 100_000;

/** Exports the filtered entries as JSON lines, oldest first. */
export async function exportJournal(project: string, input: Input<'list_journal'>): Promise<Blob> {
  const lines: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(project, 'list_journal', { ...input, limit: 500, ...(cursor !== undefined && { cursor }) });
    lines.push(...page.entries.map((entry) => `${JSON.stringify(entry)}\n`));
    cursor = page.next_cursor;
  } while (cursor !== undefined && lines.length < mostEntries);
  return new Blob(lines.toReversed(), { type: 'application/jsonl' });
}

export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
