import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { verifyPort } from '../ports.ts';
import { told } from '../../kernel/text/described.ts';

export const verifyJournal = defineOperation({
  name: 'verify_journal',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'Prove that no row of any table was changed, added or removed by hand, in this store and in the user’s state.',
    ja: 'このデータベースとユーザーの状態で、どの表の行も手作業で変更、追加、削除されていないことを証明します。',
  },
  example: '--head 3f2a…',
  input: z.strictObject({
    head: told(z.string().optional(), {
      en: 'A link that was kept elsewhere; it must still be in the journal',
      ja: '別の場所に保管したリンク。ジャーナルに今もあるはずのもの',
    }),
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
