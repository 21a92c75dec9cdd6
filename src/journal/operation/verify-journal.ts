import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { verifyPort } from '../ports.ts';
import { described, words } from '../words.ts';

export const verifyJournal = defineOperation({
  name: 'verify_journal',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'Verify that no row of any table was changed, added or removed by hand, in this store and in the user’s database.',
  ),
  example: '--head 3f2a…',
  input: z.strictObject({
    head: described(z.string().optional(), 'A link that you saved elsewhere; it must still be in the journal'),
  }),
  output: z.object({
    ok: z.boolean(),
    entries: z.number(),
    rows: z.number(),
    head: z.string(),
    head_matches: z.boolean(),
    faults: z
      .array(
        z.object({
          table: z.string(),
          key: z.array(z.union([z.string(), z.number()])).readonly(),
          damage: z.enum(['changed', 'added', 'removed']),
          detail: z.string(),
        }),
      )
      .readonly(),
    fault_count: z.number(),
  }),
  fellShort: ({ ok }) => !ok,
  async run(context, { head: wanted }) {
    const { entries, rows, head, headFound, faults, faultCount } = await verifyPort.of(context)(context, wanted);
    const ok = faultCount === 0 && headFound;
    const listed = faults.map((one) => ({ ...one, detail: context.say((lang) => one.detail[lang]) }));
    return { ok, entries, rows, head, head_matches: headFound, faults: listed, fault_count: faultCount };
  },
});
