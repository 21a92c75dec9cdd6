import type { Context } from '../../kernel/context.ts';
import { looksAtTree } from '../guards.ts';
import { readBoundRuns } from './bound-run.ts';
import { treeHolders } from './holder.ts';

/** Finds the open run of the caller's tree, if it compares the files there: only its own agents may edit them. */
export async function findGuardedRun({
  store,
  project,
}: Pick<Context, 'store' | 'project'>): Promise<string | undefined> {
  const runs = await readBoundRuns(store, project, treeHolders(project));
  return runs.find(({ definition: { transitions, guards } }) =>
    looksAtTree(
      transitions.flatMap((one) => one.guards),
      guards,
    ),
  )?.id;
}
