import * as z from 'zod';
import { searchJournal } from '../../kernel/store/journal-search.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { cursorInput, limitInput } from '../../kernel/store/page-input.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import { described, words } from '../words.ts';

const time = z.iso.datetime({ offset: true });

export const listJournal = defineOperation({
  name: 'list_journal',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('The journal of this project, newest first: who did what, with the hash-chain link of each entry.'),
  example: '--subject run-… --kind run.',
  input: z.strictObject({
    subject: described(z.string().optional(), 'Only entries about this run, task, agent …, by its id'),
    kind: described(z.string().optional(), 'Only kinds that begin with this, e.g. "run."'),
    actor: described(z.string().optional(), 'Only actors whose name contains this'),
    text: described(z.string().optional(), 'Only entries that contain this text'),
    since: described(time.optional(), 'Not before this time (ISO 8601)'),
    until: described(time.optional(), 'Not after this time (ISO 8601)'),
    limit: limitInput,
    cursor: cursorInput('next_cursor'),
  }),
  output: z.object({
    entries: z.array(
      z.object({
        seq: z.number(),
        at: z.string(),
        actor: z.string(),
        subject: z.string(),
        kind: z.string(),
        data: z.unknown(),
        link: z.string(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run(context, { subject, kind, actor, text: part, since, until, limit, cursor }) {
    const rows = await searchJournal(context, {
      project: context.project.key,
      subject,
      kindPrefix: kind,
      actor,
      text: part,
      since: utc(since),
      until: utc(until),
      before: decodePosition(cursor),
      limit: limit + 1,
    });
    const page = cutPage(rows, limit, (row) => String(row['seq']));
    return {
      entries: page.rows.map((row) => ({
        seq: Number(row['seq']),
        at: text(row, 'at'),
        actor: text(row, 'actor'),
        subject: text(row, 'subject'),
        kind: text(row, 'kind'),
        data: parsed(row, 'data'),
        link: text(row, 'link'),
      })),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});

/** Converts a time to the format of the journal, so that string comparison orders by time. */
function utc(given: string | undefined): string | undefined {
  return given === undefined ? undefined : new Date(given).toISOString();
}
