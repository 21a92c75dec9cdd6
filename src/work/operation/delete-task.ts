import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { success, taskIdInput } from '../shapes.ts';
import { text } from '../../kernel/store/row.ts';
import { type SeenPlans, planWrites } from '../task/plan.ts';
import { type Task, taskRecord } from '../task/task.ts';
import { readTask } from '../task/tasks.ts';
import { problem } from '../problem.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

export const deleteTask = defineOperation({
  name: 'delete_task',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Delete a task with its context, hand-offs and executions. Its history stays in the journal.'),
  example: '--task-id tsk_…',
  input: z.strictObject({
    task_id: taskIdInput,
    force: described(
      z.boolean().optional(),
      'Delete it even if other tasks depend on it; that removes the dependencies',
    ),
  }),
  output: z.object({ success, task_id: z.string() }),
  async run(context, { task_id: given, force }) {
    const id = await resolveTaskId(context, given);
    return retry(
      async () => {
        const task = await readTask(context, id);
        if (task.claim !== undefined) throw problem.TASK_CLAIMED({ task_id: id, agent_id: task.claim.agentId });
        const { needed, seen } = await readDependents(context, task);
        if (needed.length > 0 && force !== true)
          throw problem.TASK_NEEDED({ task_id: id, needed }, { needed_by: needed });
        const args = { id };
        const outcome = await context.store.commit(
          [
            ...planWrites(seen),
            // The first write locks the task: a concurrent commit that adds to it waits and then gets a conflict.
            {
              sql: `update work_task set revision = revision + 1
                where id = :id and revision = :revision and coalesce(session, '') = :seen`,
              args: { id, revision: task.revision, seen: task.session ?? '' },
              rows: 1,
            },
            { sql: 'delete from work_dependency where task_id = :id or depends_on = :id', args },
            { sql: 'update work_task set parent_id = null, revision = revision + 1 where parent_id = :id', args },
            { sql: 'delete from work_context where task_id = :id', args },
            { sql: 'delete from work_handoff where task_id = :id', args },
            { sql: 'delete from work_execution where task_id = :id', args },
            { sql: 'update work_session set task_id = null where task_id = :id', args },
            { sql: 'delete from work_task where id = :id', args, rows: 1 },
          ],
          [entry(context, id, 'task.deleted', { project: task.projectId, task: taskRecord(task) })],
        );
        return outcome.done ? { success: true as const, task_id: id } : again;
      },
      () => problem.PLAN_BUSY(),
    );
  },
});

/** Reads the tasks that depend on the task, and the plan that covers them. */
async function readDependents(context: Context, task: Task): Promise<{ needed: readonly string[]; seen: SeenPlans }> {
  const [[project] = [], rows = []] = await context.store.read([
    { sql: 'select plan from work_project where id = :id', args: { id: task.projectId } },
    { sql: 'select task_id from work_dependency where depends_on = :id order by task_id', args: { id: task.id } },
  ]);
  return {
    needed: rows.map((row) => text(row, 'task_id')),
    seen: new Map([[task.projectId, Number(project?.['plan'])]]),
  };
}
