import type { Context } from '../../kernel/context.ts';
import { text, readRows } from '../../kernel/store/row.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { Run } from '../run/runs.ts';

/** Limit for display; older visits are left out. */
const mostSteps = 1000;

/** Lists the states that a run was in, oldest first. Events that did not move the run are not visits. */
export async function visitsOf(store: Store, run: Run) {
  const rows = await readRows(
    store,
    `select name, from_state, to_state, at from event where run_id = :run and from_state <> to_state
        order by revision desc limit :limit`,
    { run: run.id, limit: mostSteps },
  );
  const steps = rows
    .toReversed()
    .map((row) => ({
      from: text(row, 'from_state'),
      state: text(row, 'to_state'),
      at: text(row, 'at'),
      event: text(row, 'name'),
    }));
  const first = { state: steps[0]?.from ?? run.state, at: run.createdAt, event: null };
  return [...(steps.length < mostSteps ? [first] : []), ...steps].map(({ state, at, event }, index, all) => ({
    state,
    entered_at: at,
    // An aborted run left its last state when it was aborted.
    left_at: all[index + 1]?.at ?? run.aborted?.since ?? null,
    by_event: event,
  }));
}

export async function enteredAt({ store }: Pick<Context, 'store'>, run: Run): Promise<string> {
  const [row] = await readRows(store, 'select at from event where run_id = :run and revision = :entered', {
    run: run.id,
    entered: run.entered,
  });
  return row === undefined ? run.createdAt : text(row, 'at');
}
