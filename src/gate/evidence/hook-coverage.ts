import type { Context } from '../../kernel/context.ts';
import { clientsWithHooks } from '../ports.ts';
import type { Receipt } from '../guard.ts';
import { phrase } from '../phrase.ts';
import type { RunPlace } from '../worktree/baseline.ts';
import { isOfState, readReceipts, readRunReceipts } from './receipts.ts';

/** Whether the client's hooks ask about its tool calls, as far as the journal shows. */
export interface HookCoverage {
  /** Clients that have our hooks installed. */
  readonly prepared: readonly string[];
  /** How often a hook asked in this state. */
  readonly receipts: number;
  /** Warnings about clients whose hooks are installed but do not ask: only evidence guards hold them to the process. */
  readonly warnings: readonly string[];
}

/** Returns the warnings that `emit` adds to its answer. There are none if no client has hooks. */
export async function warningsOf(context: Context, run: RunPlace): Promise<readonly string[]> {
  if (context.actor.role !== 'agent' || clientsWithHooks.of(context)(context.project).length === 0) return [];
  return warnUnasked(context, run, await readReceipts(context.store, run));
}

/** Returns the hook coverage. It warns only if no hook asked in the whole run: the state may be new. */
export async function readHookCoverage(context: Context, run: RunPlace): Promise<HookCoverage> {
  const inRun = await readRunReceipts(context.store, run);
  return {
    prepared: clientsWithHooks.of(context)(context.project),
    receipts: inRun.filter((one) => isOfState(one, run)).length,
    warnings: warnUnasked(context, run, inRun),
  };
}

/** Returns the client with hooks that this call comes from, by the name that it gives itself. */
export function findOwnClient(context: Context): string | undefined {
  const name = context.connection?.name?.toLowerCase();
  return clientsWithHooks
    .of(context)(context.project)
    .find((one) => name?.includes(one) === true);
}

/** Returns a warning if a client has hooks and none of these receipts is from it. */
function warnUnasked(context: Context, { state }: RunPlace, receipts: readonly Receipt[]): readonly string[] {
  const prepared = clientsWithHooks.of(context)(context.project);
  const name = context.connection?.name?.toLowerCase();
  const own = findOwnClient(context);
  // The caller's name matches no client with hooks: a receipt of any client is enough.
  const asked = own === undefined ? receipts : receipts.filter((one) => name?.includes(one.client) === true);
  if (prepared.length === 0 || asked.length > 0 || context.actor.role !== 'agent') return [];
  return [context.say(phrase.unwatched({ client: own ?? prepared.join(', '), state }))];
}
