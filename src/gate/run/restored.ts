import { journalQuery } from '../../kernel/store/journal.ts';
import type { RestoredWrites } from '../../kernel/store/restoring.ts';
import { text } from '../../kernel/store/row.ts';

const mostForgotten = 10_000;

/** Ends the holds of a restored backup (worktrees keep their runs) and removes evidence that was removed since. */
export const restored: RestoredWrites = async ({ present }) => {
  const [forgotten = []] =
    (await present?.read([journalQuery({ kinds: ['evidence.forgotten'], limit: mostForgotten })])) ?? [];
  const digests = [...new Set(forgotten.map((row) => text(row, 'subject')))];
  const kept = await present?.read(
    digests.map((digest) => ({ sql: 'select digest from kept_bytes where digest = :digest', args: { digest } })),
  );
  return [
    { sql: `delete from run_holder where holder not like 'tree:%'`, args: {} },
    { sql: 'delete from caller_run', args: {} },
    ...digests
      // Keep content that was submitted again since.
      .filter((_digest, index) => kept?.[index]?.length === 0)
      .map((digest) => ({ sql: 'delete from kept_bytes where digest = :digest', args: { digest } })),
  ];
};
