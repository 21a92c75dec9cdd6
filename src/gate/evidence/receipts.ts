import { journalQuery, receiptsQuery } from '../../kernel/store/journal.ts';
import { agentRole } from '../../kernel/role.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { Receipt } from '../guard.ts';
import type { RunPlace } from '../worktree/baseline.ts';

const looksBack = 200;

/** A receipt with the state and revision of the run when the hook asked. */
interface RunReceipt extends Receipt {
  readonly state: string;
  readonly revision: number;
}

/** Reads the receipts of this run in all of its states, newest first. */
export async function readRunReceipts(store: Store, run: Pick<RunPlace, 'id'>): Promise<readonly RunReceipt[]> {
  const [rows = []] = await store.read([receiptsQuery(run.id, looksBack)]);
  return rows
    .map((row) => parsed(row, 'data') as Readonly<Record<string, unknown>>)
    .filter((one) => one['event'] === 'pre-tool-use')
    .map((one) => ({
      client: String(one['client']),
      session: typeof one['session'] === 'string' ? one['session'] : undefined,
      state: String(one['state']),
      revision: Number(one['revision']),
    }));
}

/** Reads the receipts of this run since it entered its state, newest first. */
export async function readReceipts(store: Store, run: RunPlace): Promise<readonly Receipt[]> {
  return (await readRunReceipts(store, run)).filter((one) => isOfState(one, run));
}

export function isOfState({ state, revision }: RunReceipt, run: RunPlace): boolean {
  return state === run.state && revision >= run.entered;
}

/** Returns the state of an agent's last event if no hook had asked in it: `emit` recorded a warning then. */
export async function findUnaskedState(store: Store, run: Pick<RunPlace, 'id'>): Promise<string | undefined> {
  const [rows = []] = await store.read([journalQuery({ subject: run.id, kinds: ['run.event'], limit: looksBack })]);
  const last = rows.find((row) => text(row, 'actor').startsWith(`${agentRole}:`));
  if (last === undefined) return undefined;
  const { warnings, from } = parsed(last, 'data') as { readonly warnings?: unknown; readonly from: string };
  return warnings === undefined ? undefined : from;
}
