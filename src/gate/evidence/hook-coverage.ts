import type { Context } from '../../kernel/context.ts';
import { clientsWithHooks } from '../../kernel/prepared.ts';
import type { Receipt } from '../guard.ts';
import { phrase } from '../phrase.ts';
import type { Entered } from '../worktree/baseline.ts';
import { isOfState, readReceipts, readRunReceipts } from './receipts.ts';

/** Whether hooks ask, as far as the journal tells. */
export interface HookCoverage {
  /** Clients that were prepared to ask. */
  readonly prepared: readonly string[];
  /** How often one asked in this state. */
  readonly receipts: number;
  /** A client that was prepared and does not ask is held by evidence alone. */
  readonly warnings: readonly string[];
}

/** What `emit` says beside its answer. Where nothing was prepared there is nothing to miss. */
export async function warningsOf(context: Context, run: Entered): Promise<readonly string[]> {
  if (context.actor.role !== 'agent' || clientsWithHooks.of(context)(context.project).length === 0) return [];
  return warnUnasked(context, run, await readReceipts(context.store, run));
}

/**
 * What `get_state` says. A client that asked earlier in the run is not warned of: the state may just have been entered, by
 * a person's approval for example, before the client used any tool in it.
 */
export async function readHookCoverage(context: Context, run: Entered): Promise<HookCoverage> {
  const inRun = await readRunReceipts(context.store, run);
  return {
    prepared: clientsWithHooks.of(context)(context.project),
    receipts: inRun.filter((one) => isOfState(one, run)).length,
    warnings: warnUnasked(context, run, inRun),
  };
}

/** The prepared client that this call comes from, by the name that it gives itself. */
export function findOwnClient(context: Context): string | undefined {
  const name = context.connection?.name?.toLowerCase();
  return clientsWithHooks
    .of(context)(context.project)
    .find((one) => name?.includes(one) === true);
}

/** One warning where a client was prepared to ask and none of these receipts is of it. */
function warnUnasked(context: Context, { state }: Entered, receipts: readonly Receipt[]): readonly string[] {
  const prepared = clientsWithHooks.of(context)(context.project);
  const name = context.connection?.name?.toLowerCase();
  const own = findOwnClient(context);
  // A client by another name than its hooks: then any of them will do.
  const asked = own === undefined ? receipts : receipts.filter((one) => name?.includes(one.client) === true);
  if (prepared.length === 0 || asked.length > 0 || context.actor.role !== 'agent') return [];
  return [context.say(phrase.unwatched({ client: own ?? prepared.join(', '), state }))];
}
