import * as z from 'zod';
import { searchJournal } from '../../kernel/store/journal-search.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { cursorInput, limitInput } from '../../kernel/store/page-input.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import type { CallData } from '../relay/ledger.ts';
import { described, words } from '../words.ts';

export const listCalls = defineOperation({
  name: 'list_calls',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('Calls forwarded to upstreams, newest first, with tool, outcome and duration.'),
  example: '--upstream penpot',
  input: z.strictObject({
    upstream: described(z.string().optional(), 'Only this upstream'),
    limit: limitInput,
    cursor: cursorInput('next_cursor'),
  }),
  output: z.object({
    calls: z.array(
      z.object({
        seq: z.number(),
        at: z.string(),
        actor: z.string(),
        upstream: z.string(),
        tool: z.string(),
        outcome: z.string(),
        duration_ms: z.number(),
        bytes: z.number(),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  async run(context, { upstream, limit, cursor }) {
    const rows = await searchJournal(context, {
      project: context.project.key,
      subject: upstream,
      kinds: ['upstream.call'],
      before: decodePosition(cursor),
      limit: limit + 1,
    });
    const page = cutPage(rows, limit, (row) => String(row['seq']));
    return {
      calls: page.rows.map((row) => {
        const { tool, outcome, duration_ms, bytes } = parsed(row, 'data') as CallData;
        return {
          seq: Number(row['seq']),
          at: text(row, 'at'),
          actor: text(row, 'actor'),
          upstream: text(row, 'subject'),
          tool,
          outcome,
          duration_ms,
          bytes,
        };
      }),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
  },
});
