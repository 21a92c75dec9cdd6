import type { Query, Row } from '../../kernel/store/store.ts';
import { type Status, statuses } from './task.ts';

export function statusCountsQuery(projectId: string): Query {
  return {
    sql: 'select status, count(*) as number from work_task where project_id = :id group by status',
    args: { id: projectId },
  };
}

/** The number of tasks in each state, from the rows of `statusCountsQuery`. */
export function statusCounts(rows: readonly Row[]): Readonly<Record<Status, number>> {
  const count = (status: Status) => Number(rows.find((one) => one['status'] === status)?.['number'] ?? 0);
  return Object.fromEntries(statuses.map((status) => [status, count(status)])) as Record<Status, number>;
}
