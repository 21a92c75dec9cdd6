import type { Context } from '../../kernel/context.ts';
import { preparedClients } from '../../kernel/prepared.ts';
import { phrase } from '../phrase.ts';
import type { Entered } from './baseline.ts';
import { readReceipts } from './receipts.ts';

/** Whether hooks ask, as far as the journal tells. */
export interface Watch {
  /** Clients that were prepared to ask. */
  readonly prepared: readonly string[];
  /** How often one asked in this state. */
  readonly receipts: number;
  /** A client that was prepared and does not ask is held by evidence alone. */
  readonly warnings: readonly string[];
}

/** What `emit` says beside its answer. Where nothing was prepared there is nothing to miss. */
export async function warningsOf(context: Context, run: Entered): Promise<readonly string[]> {
  if (context.actor.role !== 'agent' || preparedClients.of(context)(context.project).length === 0) return [];
  return (await watchOf(context, run)).warnings;
}

export async function watchOf(context: Context, run: Entered): Promise<Watch> {
  const prepared = preparedClients.of(context)(context.project);
  const receipts = await readReceipts(context.store, run);
  const { name } = context.connection ?? {};
  const own = receipts.filter((one) => name === undefined || name.toLowerCase().includes(one.client));
  // A client by another name than its hooks: then any of them will do.
  const known = name !== undefined && prepared.some((one) => name.toLowerCase().includes(one));
  const asked = known ? own.length : receipts.length;
  const silent = prepared.length > 0 && asked === 0 && context.actor.role === 'agent';
  const client = known ? (prepared.find((one) => name.toLowerCase().includes(one)) ?? '') : prepared.join(', ');
  return {
    prepared,
    receipts: receipts.length,
    warnings: silent ? [context.say(phrase.unwatched({ client, state: run.state }))] : [],
  };
}
