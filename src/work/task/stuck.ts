import type { Query, Row } from '../../kernel/store/store.ts';
import { isUnassigned } from './task.ts';

/** Counts the tasks of active projects that nothing but a person can move on. */
export function stuckQuery(project: string | undefined): Query {
  const among = `t.project_id in (select id from work_project where status = 'active'${project === undefined ? '' : ' and id = :project'})`;
  const behind = `with recursive behind (id) as (
      select d.task_id from work_dependency d join work_task o on o.id = d.depends_on where o.status = 'blocked'
      union select d.task_id from work_dependency d join behind b on b.id = d.depends_on)
    select id from behind`;
  return {
    sql: `select
      (select count(*) from work_task t where ${among} and t.status = 'blocked') as blocked,
      (select count(*) from work_task t where ${among} and t.status in ('todo', 'in_progress') and t.id in (${behind})) as behind,
      (select count(*) from work_task t join work_project p on p.id = t.project_id
        where ${among} and coalesce(p.pool, 0) = 0 and ${isUnassigned}) as unassigned`,
    args: project === undefined ? {} : { project },
  };
}

export interface StuckTasks {
  readonly blocked: number;
  readonly behind: number;
  readonly unassigned: number;
}

export function isStuck({ blocked, behind, unassigned }: StuckTasks): boolean {
  return blocked + behind + unassigned > 0;
}

export function stuckTasks([row]: readonly Row[]): StuckTasks {
  const count = (column: string) => Number(row?.[column] ?? 0);
  return { blocked: count('blocked'), behind: count('behind'), unassigned: count('unassigned') };
}
