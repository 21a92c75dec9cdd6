import type { Write } from '../../kernel/store/store.ts';

/** The projects that a decision read, each with its `plan` counter at that time. */
export type SeenPlans = ReadonlyMap<string, number>;

export const noPlans: SeenPlans = new Map();

/** Make the commit a conflict if a plan has changed since it was read. Sorted by project, so that two commits cannot deadlock. */
export function planWrites(...seen: readonly SeenPlans[]): readonly Write[] {
  const all = new Map<string, number>();
  // Of two different reads of one plan the earlier counts: it is stale.
  for (const [id, plan] of seen.flatMap((one) => [...one])) all.set(id, Math.min(plan, all.get(id) ?? plan));
  return [...all]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, plan]) => ({
      sql: 'update work_project set plan = plan + 1 where id = :id and plan = :plan',
      args: { id, plan },
      rows: 1,
    }));
}
