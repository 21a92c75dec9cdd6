import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { phrase } from '../phrase.ts';
import { type BoundRun, readBoundRuns } from './bound-run.ts';
import { holdersOf, treeHolders } from './holder.ts';
import { described } from '../words.ts';

export const bindingOutput = described(
  z.object({
    runs: z.array(z.object({ run_id: z.string(), process_id: z.string(), state: z.string(), why: z.string() })),
    note: z.string(),
  }),
  'Which runs bind here now, and how a person changes that',
);

/** Reads the runs that bind after a run was started: those of this tree, and for an agent also those of its client. */
export async function readBinding(
  context: Context,
  runId: string,
): Promise<{ readonly isCurrent: boolean; readonly binding: z.infer<typeof bindingOutput> }> {
  const { store, project, actor, say } = context;
  const here = await readBoundRuns(store, project, treeHolders(project));
  const runs = actor.person ? here : await readBoundRuns(store, project, holdersOf(context));
  const isCurrent = here[0]?.id === runId;
  return {
    isCurrent,
    binding: { runs: runs.map((one) => describeBoundRun(context, one)), note: say(noteOf(runs, runId)) },
  };
}

export function describeBoundRun({ say }: Pick<Context, 'say'>, { id, processId, state, reason }: BoundRun) {
  return { run_id: id, process_id: processId, state, why: say(phrase.bindsBy({ reason })) };
}

function noteOf(runs: readonly BoundRun[], runId: string) {
  const binds = runs.some((one) => one.id === runId);
  const others = runs.filter((one) => one.id !== runId).map((one) => one.id);
  if (binds && others.length === 0) return phrase.bindsAlone({ run_id: runId });
  if (binds) return phrase.bindsBeside({ run_id: runId, others });
  return phrase.bindsNot({ run_id: runId, others });
}
