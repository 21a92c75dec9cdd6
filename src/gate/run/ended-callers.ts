import type { Store, Write } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { processPrefix } from '../../machine/ancestors.ts';
import { isAlive } from '../../machine/identity.ts';
import { callersQuery, endedCallerWrites } from './holder.ts';

/** Returns the writes that remove bindings of processes on this machine that have ended. */
export async function forgetEndedWrites(store: Store): Promise<readonly Write[]> {
  const [rows = []] = await store.read([callersQuery()]);
  return rows
    .map((row) => text(row, 'caller'))
    .filter(hasEnded)
    .flatMap(endedCallerWrites);
}

function hasEnded(name: string): boolean {
  const prefix = processPrefix();
  const [, pid, start = ''] = name.startsWith(prefix) ? (/^(\d+):(.*)$/.exec(name.slice(prefix.length)) ?? []) : [];
  return pid !== undefined && !isAlive(Number(pid), start);
}
