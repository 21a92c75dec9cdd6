import { type Author, entry, receiptsQuery } from '../kernel/store/journal.ts';
import type { Store } from '../kernel/store/store.ts';
import type { BoundRun } from '../gate/hook-api.ts';
import type { HookEvent, HookInput } from '../fleet/agent-hook.ts';
import { problem } from '../kernel/problem.ts';
import { parsed } from '../kernel/store/row.ts';
import { isJsonObject } from '../base/json-object.ts';

export type ReceiptDecision = 'allow' | 'deny' | 'ask' | 'none' | 'context' | 'block';

export interface Receipt {
  readonly client: string;
  readonly event: HookEvent;
  readonly input: HookInput;
  readonly decision: ReceiptDecision;
  readonly run: BoundRun | undefined;
  readonly more?: Readonly<Record<string, unknown>>;
}

const kind = 'hook.receipt';

/** Writes one journal row per decision, without the tool's input, which may be secret. */
export async function writeReceipt(store: Store, by: Author, receipt: Receipt): Promise<void> {
  const { client, event, input, decision, run, more } = receipt;
  const outcome = await store.commit(
    [],
    [
      entry(by, run?.id ?? by.project.key, kind, {
        client,
        event,
        tool: input.tool?.name ?? null,
        names: input.tool?.names ?? [],
        tool_use_id: input.tool?.id ?? null,
        session: input.session ?? null,
        ...(input.moment !== undefined && { moment: input.moment }),
        decision,
        state: run?.state ?? null,
        revision: run?.revision ?? null,
        run: run?.id ?? null,
        ...more,
      }),
    ],
  );
  if (!outcome.done)
    throw problem.STORE_UNAVAILABLE({
      location: store.location,
      reason: { en: 'no receipt was kept', ja: '受領を記録できませんでした' },
    });
}

/** Whether another hook was asked about this call: Copilot also runs Claude Code's hooks, with other tool names. */
export async function isAskedTwice(
  store: Store,
  runId: string,
  { client, event, input }: Pick<Receipt, 'client' | 'event' | 'input'>,
): Promise<boolean> {
  if (input.moment === undefined || input.session === undefined) return false;
  return (await recentReceipts(store, runId)).some(
    (one) =>
      (one['client'] !== client || one['tool'] === (input.tool?.name ?? null)) &&
      one['event'] === event &&
      one['session'] === input.session &&
      one['moment'] === input.moment,
  );
}

const looksBack = 200;

/** Reads the newest receipts of a run, newest first. Receipts of one call are close together. */
export async function recentReceipts(
  store: Store,
  runId: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const [rows = []] = await store.read([receiptsQuery(runId, looksBack)]);
  return rows.map((row) => parsed(row, 'data')).filter(isJsonObject);
}
