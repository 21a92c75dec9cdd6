import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { told } from '../../kernel/text/described.ts';
import { abort } from '../run/abort.ts';

export const abortRun = defineOperation({
  name: 'abort_run',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: {
    en: 'End a run that is no longer needed. It is final and never counts as done; a task that follows it is blocked.',
    ja: '不要になった run を中止します。run は終了しますが、完了とは扱われません。この run に従うタスクはブロックされます。',
  },
  example: '--run-id run-… --reason "The customer has withdrawn the request"',
  command: 'sekisho abort <run> --reason "…"',
  input: z.strictObject({
    run_id: told(z.string(), {
      en: 'Which run; the beginning of its id is enough where only one has it',
      ja: 'run の ID (1 つに決まれば先頭だけでもかまいません)',
    }),
    reason: told(z.string().trim().min(1).max(10_000), {
      en: 'Why; kept in the history',
      ja: '理由 (履歴に残ります)',
    }),
  }),
  output: z.object({
    run_id: z.string(),
    current_state: told(z.string(), { en: 'Where it was aborted', ja: '中止したときの状態' }),
    revision: z.number(),
    aborted: z.object({ by: z.string(), since: z.string(), reason: z.string() }),
    already: told(z.boolean(), {
      en: 'It was aborted before; nothing has changed now',
      ja: 'すでに中止されていて、今回は何も変わらなかったか',
    }),
  }),
  run: (context, { run_id: id, reason }) => abort(context, id, reason),
});
