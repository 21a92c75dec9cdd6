import type { Context } from '../../kernel/context.ts';
import { findTask } from './tasks.ts';
import { problem } from '../problem.ts';

/** Every task that is named must exist. */
export async function requireTasks(context: Context, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids)) {
    if ((await findTask(context, id)) === undefined) throw problem.TASK_NOT_FOUND({ task_id: id });
  }
}

/** Refuses that a task should come after (or be part of) one that already comes after (or is part of) itself. */
export async function refuseCycle(
  context: Context,
  taskId: string,
  others: readonly string[],
  kind: 'dependency' | 'parent',
): Promise<void> {
  const step =
    kind === 'dependency'
      ? 'select d.depends_on from work_dependency d join above on d.task_id = above.id'
      : 'select t.parent_id from work_task t join above on t.id = above.id where t.parent_id is not null';
  for (const other of others) {
    const [rows = []] = await context.store.read([
      {
        sql: `with recursive above (id) as (select t.id from work_task t where t.id = :other union ${step})
          select id from above where id = :task`,
        args: { other, task: taskId },
      },
    ]);
    if (rows.length > 0) throw problem.DEPENDENCY_CYCLE({ task_id: taskId, other });
  }
}
