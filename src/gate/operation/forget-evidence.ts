import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { problem } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const forgetEvidence = defineOperation({
  name: 'forget_evidence',
  toolsets: ['admin'],
  effect: 'write',
  summary: {
    en: 'Remove the kept content of evidence or of a command’s output. Its digest stays in the history.',
    ja: '保存された証拠、またはコマンド出力の内容を削除します。ダイジェストは履歴に残ります。',
  },
  example: '--digest 9f86d081…',
  input: z.strictObject({
    digest: told(z.string().regex(/^[0-9a-f]{64}$/), {
      en: 'SHA-256 of the content, as get_history shows it',
      ja: '内容の SHA-256 (get_history で確認できます)',
    }),
  }),
  output: z.object({ digest: z.string(), size: z.number() }),
  async confirm(context, input) {
    const size = await sizeOf(context, input.digest);
    return { text: `${input.digest}, ${size} bytes`, input };
  },
  async run(context, { digest }) {
    const size = await sizeOf(context, digest);
    const outcome = await context.store.commit(
      [{ sql: 'delete from kept_bytes where digest = :digest', args: { digest }, rows: 1 }],
      [entry(context, digest, 'evidence.forgotten', { digest, size })],
    );
    if (!outcome.done) throw problem.EVIDENCE_NOT_KEPT({ digest });
    return { digest, size };
  },
});

async function sizeOf({ store }: Context, digest: string): Promise<number> {
  const [rows = []] = await store.read([
    { sql: 'select size from kept_bytes where digest = :digest', args: { digest } },
  ]);
  if (rows[0] === undefined) throw problem.EVIDENCE_NOT_KEPT({ digest });
  return Number(rows[0]['size']);
}
