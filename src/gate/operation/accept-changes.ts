import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { recordNow, treeChanges } from '../worktree/baseline.ts';
import { type Run, readRun, resolveRunId } from '../run/runs.ts';
import { phrase } from '../phrase.ts';
import { problem } from '../problem.ts';
import { runIdInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const acceptChanges = defineOperation({
  name: 'accept_changes',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Accept the current work tree as the baseline of the run’s state: worktree guards compare with it.'),
  example: '--run-id run-…',
  input: z.strictObject({
    run_id: runIdInput,
    tree: described(z.string().optional(), 'Only if the tree still has this digest'),
  }),
  output: z.object({
    run_id: z.string(),
    state: z.string(),
    tree: z.string(),
    changes: z.array(z.object({ path: z.string(), how: z.enum(['added', 'changed', 'removed']) })),
  }),
  async confirm(context, input) {
    const { run } = await readRun(context, await resolveRunId(context, input.run_id));
    refuseUnplaced(context, run);
    const seen = await treeChanges(context, run);
    const { note } = await recordNow(context, run);
    const lines = 'fault' in seen ? [seen.fault] : seen.changes.map((one) => `  ${one.how}  ${one.path}`);
    return {
      text: [`${run.id}, ${run.state}`, ...lines].join('\n'),
      // Binds the answer to the tree that the person was shown: a file that changes before they answer was not reviewed.
      input: { ...input, run_id: run.id, ...(note !== undefined && 'tree' in note && { tree: note.tree }) },
    };
  },
  async run(context, input) {
    const { run, isOurs } = await readRun(context, await resolveRunId(context, input.run_id));
    if (!isOurs) throw problem.RUN_NOT_FOUND({ run_id: run.id });
    refuseUnplaced(context, run);
    const seen = await treeChanges(context, run);
    const { writes, note } = await recordNow(context, run);
    if (note === undefined || 'tree_fault' in note) throw problem.TREE_UNREADABLE({ fault: note?.tree_fault ?? '' });
    if (input.tree !== undefined && input.tree !== note.tree) throw problem.TREE_CHANGED();
    const changes = 'fault' in seen ? [] : [...seen.changes];
    const outcome = await context.store.commit(
      [
        // Fails the commit if an event has moved the run: the changes belong to the state that it was in.
        {
          sql: 'update run set id = id where id = :run and revision = :revision',
          args: { run: run.id, revision: run.revision },
          rows: 1,
        },
        ...writes,
      ],
      [entry(context, run.id, 'run.changes_accepted', { state: run.state, ...note, changes: changes.slice(0, 1000) })],
    );
    if (!outcome.done) throw problem.TREE_CHANGED();
    return { run_id: run.id, state: run.state, tree: note.tree, changes };
  },
});

/** Throws if the run has no tree whose changes could be accepted. */
function refuseUnplaced({ say }: Pick<Context, 'say'>, { placed }: Run): void {
  if (!placed) throw problem.TREE_UNREADABLE({ fault: say(phrase.guardUnplaced()) });
}
