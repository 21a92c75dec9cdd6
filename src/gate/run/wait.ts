import type { Context } from '../../kernel/context.ts';
import { text, readRows } from '../../kernel/store/row.ts';
import { waitUntil } from '../../kernel/wait.ts';

/** Waits until the run is past a revision (by default its current one), is final, or the time is over. */
export async function waitForRun(
  context: Context,
  id: string,
  { ms, since }: { readonly ms: number; readonly since: number | undefined },
): Promise<void> {
  let seen = since;
  await waitUntil(context, {
    subjects: [id],
    timeoutMs: ms,
    async look() {
      const rows = await readRows(context.store, 'select state, revision, is_final from run where id = :id', { id });
      return rows[0];
    },
    isEnough(run) {
      if (run === undefined) return true;
      const revision = Number(run['revision']);
      seen ??= revision;
      return revision > seen || Number(run['is_final']) === 1;
    },
    progress: (run, share) => ({
      progress: Math.round(share * 100),
      total: 100,
      ...(run !== undefined && { message: text(run, 'state') }),
    }),
  });
}
