import * as z from 'zod';
import { searchJournal } from '../../kernel/store/journal-search.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { cursorInput, limitInput } from '../../kernel/store/page-input.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import { told } from '../../kernel/text/described.ts';

const time = z.iso.datetime({ offset: true });

export const listJournal = defineOperation({
  name: 'list_journal',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'The timeline of this project, newest first: who did what to what, with the proof’s link of each entry.',
    ja: 'このプロジェクトの出来事を新しい順に返します。誰が何をしたかと、各項目の証明のリンクが分かります。',
  },
  example: '--subject run-… --kind run.',
  input: z.strictObject({
    subject: told(z.string().optional(), {
      en: 'Only of this run, task, agent … by its id',
      ja: 'この run、タスク、エージェントなどの ID に関するものだけ',
    }),
    kind: told(z.string().optional(), {
      en: 'Only kinds that begin with this, e.g. "run."',
      ja: 'この語で始まる種類だけ (例: "run.")',
    }),
    actor: told(z.string().optional(), {
      en: 'Only by whom this is part of',
      ja: '行った人の名前にこの語を含むものだけ',
    }),
    text: told(z.string().optional(), {
      en: 'Only entries in which this stands somewhere',
      ja: 'どこかにこの語を含む項目だけ',
    }),
    since: told(time.optional(), { en: 'Not before this time (ISO 8601)', ja: 'この時刻以降 (ISO 8601)' }),
    until: told(time.optional(), { en: 'Not after this time (ISO 8601)', ja: 'この時刻以前 (ISO 8601)' }),
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

/** As the journal writes it, so that texts compare as times do. */
function utc(given: string | undefined): string | undefined {
  return given === undefined ? undefined : new Date(given).toISOString();
}
