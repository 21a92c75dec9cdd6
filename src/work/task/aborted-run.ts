import type { AfterAbort } from '../../gate/ports.ts';
import { phrase } from '../problem.ts';
import { batchOf } from './change.ts';
import { selectTasks, toTask } from './task.ts';

/**
 * Blocks the open tasks of an aborted run, in every open state. A task that is blocked already is written too, so that a
 * concurrent retry of it gets a conflict and reads it again.
 */
export const blockTasks: AfterAbort = async (context, { id, reason }) => {
  const [rows = []] = await context.store.read([
    {
      sql: `${selectTasks} where t.run_id = :run and t.status not in ('done', 'cancelled')`,
      args: { run: id, now: context.now().toISOString() },
    },
  ]);
  const why = context.say(phrase.runAborted({ reason }));
  const fields = { status: 'blocked', session: null, summary: why } as const;
  const change = { fields, note: { reason: why, run: id } };
  return batchOf(
    context,
    rows.map((row) => ({ task: toTask(row), change })),
  );
};
