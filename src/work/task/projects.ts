import type { Context } from '../../kernel/context.ts';
import type { Query, Row, Write } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { problem } from '../problem.ts';
import { type Status, statuses } from './task.ts';

/** The states of a project. Agents are started for active projects only; the other states say why they are not. */
export const projectStatuses = ['active', 'paused', 'inactive', 'archived'] as const;

export function projectRecord(row: Row) {
  return {
    project_id: text(row, 'id'),
    project_name: text(row, 'name'),
    working_directory: text(row, 'working_directory'),
    status: text(row, 'status'),
    auto_start: Number(row['auto_start']) === 1,
    pool: Number(row['pool']) === 1,
    created_at: text(row, 'created_at'),
    updated_at: text(row, 'updated_at'),
  };
}

/** Inserts a project. A conflict if the id is taken. */
export function insertProject(row: Row): Write {
  return {
    sql: `insert into work_project (id, ord, name, working_directory, status, auto_start, pool, plan, last_number, created_at, updated_at)
      values (:id, :ord, :name, :working_directory, :status, :auto_start, :pool, 0, 0, :created_at, :updated_at)`,
    args: row,
    rows: 1,
  };
}

export function assignWrite(agent: string, project: string, at: string): Write {
  return {
    sql: `insert into work_assignment (agent_id, project_id, assigned_at, failures) values (:agent, :project, :at, 0)
      on conflict (agent_id, project_id) do nothing`,
    args: { agent, project, at },
  };
}

export async function findProject(context: Context, id: string): Promise<Row | undefined> {
  const [[row] = []] = await context.store.read([{ sql: 'select * from work_project where id = :id', args: { id } }]);
  return row;
}

export async function readProject(context: Context, id: string): Promise<Row> {
  const row = await findProject(context, id);
  if (row === undefined) throw problem.PROJECT_NOT_FOUND({ project_id: id });
  return row;
}

export async function agentsOf(context: Context, projectId: string): Promise<readonly string[]> {
  const [rows = []] = await context.store.read([
    { sql: 'select agent_id from work_assignment where project_id = :id order by agent_id', args: { id: projectId } },
  ]);
  return rows.map((row) => text(row, 'agent_id'));
}

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
