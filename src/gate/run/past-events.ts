import type { Query } from '../../kernel/store/store.ts';

/** Lists the events of a run with these names, oldest first; with `from`, only those emitted in this state. */
export function pastEventsQuery(runId: string, names: readonly string[], from?: string): Query {
  return {
    sql: `select name, from_state, to_state, payload, revision, at from event where run_id = :run
      and name in (${names.map((_, index) => `:name${index}`).join(', ')}) ${from === undefined ? '' : 'and from_state = :from'}
      order by revision`,
    args: {
      run: runId,
      ...Object.fromEntries(names.map((name, index) => [`name${index}`, name])),
      ...(from !== undefined && { from }),
    },
  };
}

/** Returns when a state was first entered; no row for the initial state. */
export function enteredQuery(runId: string, state: string): Query {
  return {
    sql: `select at from event where run_id = :run and to_state = :state and from_state <> :state
      order by revision limit 1`,
    args: { run: runId, state },
  };
}
