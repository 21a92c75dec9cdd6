import { readRows } from '../../kernel/store/row.ts';
import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const forgetEvidence = defineOperation({
  name: 'forget_evidence',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Remove the kept content of evidence or of a command’s output. Its digest stays in the history.'),
  example: '--digest 9f86d081…',
  input: z.strictObject({
    digest: described(z.string().regex(/^[0-9a-f]{64}$/), 'SHA-256 of the content, as get_history shows it'),
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
  const [row] = await readRows(store, 'select size from kept_bytes where digest = :digest', { digest });
  if (row === undefined) throw problem.EVIDENCE_NOT_KEPT({ digest });
  return Number(row['size']);
}
