import type { Query, Row } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { runStatusOf } from '../../gate/index.ts';
import { type Status, numberIn } from './task.ts';

/** A short form of a task, for references from another task. */
export function taskLink(row: Row) {
  return {
    task_id: text(row, 'id'),
    number: numberIn(row),
    title: text(row, 'title'),
    status: text(row, 'status') as Status,
  };
}

/** The position of a task's run, from a row of the gate's `runPositionQuery`. */
export function taskRun(row: Row) {
  return {
    run_id: text(row, 'id'),
    state: text(row, 'state'),
    is_final: Number(row['is_final']) === 1,
    status: runStatusOf(row),
  };
}

/** Selects the open dependencies of tasks, each with the waiting task as `waiting`; `tasks` is a query for their ids. */
export function openDependenciesQuery(tasks: Query): Query {
  return {
    sql: `select d.task_id as waiting, o.id as id, o.number as number, o.title as title, o.status as status
      from work_dependency d join work_task o on o.id = d.depends_on
      where o.status not in ('done', 'cancelled') and d.task_id in (${tasks.sql}) order by o.ord`,
    args: tasks.args,
  };
}

/** A graph with more tasks is not readable. */
const mostInGraph = 150;

const near = `select id from (
    with recursive earlier (id) as (select id from work_task where id = :task
        union select d.depends_on from work_dependency d join earlier on d.task_id = earlier.id),
      later (id) as (select id from work_task where id = :task
        union select d.task_id from work_dependency d join later on d.depends_on = later.id)
    select id from earlier union select id from later) around`;

/** Select all direct and indirect predecessors and successors of a task, and the dependencies among them. */
export function graphQueries(task: string): readonly [tasks: Query, edges: Query] {
  const args = { task };
  return [
    {
      sql: `select id, number, title, status from work_task where id in (${near}) order by case when id = :task then 0 else 1 end, ord limit ${mostInGraph + 1}`,
      args,
    },
    {
      sql: `select task_id, depends_on from work_dependency where task_id in (${near}) and depends_on in (${near})`,
      args,
    },
  ];
}

export function graphOf(tasks: readonly Row[], edges: readonly Row[]) {
  const shown = tasks.slice(0, mostInGraph).map(taskLink);
  const ids = new Set(shown.map((one) => one.task_id));
  return {
    tasks: shown,
    edges: edges
      .map((row) => ({ from: text(row, 'depends_on'), to: text(row, 'task_id') }))
      .filter(({ from, to }) => ids.has(from) && ids.has(to)),
    is_cut: tasks.length > mostInGraph,
  };
}
