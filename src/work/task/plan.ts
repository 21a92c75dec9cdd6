import type { Write } from '../../kernel/store/store.ts';

/** What a decision by the plan rests on: each project that it looked at, with its revision then. */
export type Seen = ReadonlyMap<string, number>;

export const nothingSeen: Seen = new Map();

/** Makes a commit a conflict where the plan has changed since it was seen. In one order, so that two never wait for each other. */
export function planWrites(...seen: readonly Seen[]): readonly Write[] {
  const all = new Map<string, number>();
  // Seen twice with a change in between, the earlier look is what is stale.
  for (const [id, plan] of seen.flatMap((one) => [...one])) all.set(id, Math.min(plan, all.get(id) ?? plan));
  return [...all]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, plan]) => ({
      sql: 'update work_project set plan = plan + 1 where id = :id and plan = :plan',
      args: { id, plan },
      rows: 1,
    }));
}
