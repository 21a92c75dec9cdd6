import type { Context } from '../../kernel/context.ts';
import type { Query } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { readNames } from './names.ts';
import { projectRecord, readProject, statusCounts, statusCountsQuery } from './projects.ts';
import { isReady, selectTasks, toTask } from './task.ts';

export type Board = Awaited<ReturnType<typeof readBoards>>[number];

const mostOpen = 2000;
const mostClosed = 20;

/** Reads the boards of one project or of every active one: open tasks, most urgent first, then those closed last. */
export async function readBoards(context: Context, projectId: string | undefined) {
  const [all = []] = await context.store.read([
    { sql: `select * from work_project where status = 'active' order by ord limit 500`, args: {} },
  ]);
  const rows = projectId === undefined ? all : [await readProject(context, projectId)];
  const names = await readNames(context);
  return Promise.all(
    rows.map(async (row) => {
      const id = text(row, 'id');
      const [open = [], closed = [], counts = []] = await context.store.read([
        tasksOf(context, id, `t.status not in ('done', 'cancelled') order by t.priority, t.ord`, mostOpen),
        tasksOf(context, id, `t.status in ('done', 'cancelled') order by t.completed_at desc, t.ord`, mostClosed),
        statusCountsQuery(id),
      ]);
      return {
        project: projectRecord(row),
        tasks: [...open, ...closed].map((one) => {
          const task = toTask(one);
          const assignee = task.assigneeId === null ? null : names.of(task.assigneeId);
          // `ready` says whether the task can start now.
          return { ...task, ready: Number(one['ready']) === 1, assignee };
        }),
        counts: statusCounts(counts),
      };
    }),
  );
}

function tasksOf(context: Context, project: string, which: string, limit: number): Query {
  return {
    sql: `${selectTasks.replace('select t.*', `select t.*, case when ${isReady} then 1 else 0 end as ready`)}
      where t.project_id = :project and ${which} limit :limit`,
    args: { project, limit, now: context.now().toISOString() },
  };
}
