import * as z from 'zod';
import { journalQuery } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { optional, text } from '../../kernel/store/row.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { executionsQuery, instanceOfLog } from '../session/executions.ts';
import { cursorInput, entrySchema, nextCursor, success, taskIdInput } from '../shapes.ts';
import { readEntries } from '../task/journal-entries.ts';
import { readTask } from '../task/tasks.ts';
import { resolveTaskId } from '../task/reference.ts';
import { words } from '../words.ts';

const mostExecutions = 50;

export const getTimeline = defineOperation({
  name: 'get_timeline',
  toolsets: ['admin'],
  effect: 'read',
  summary: words(
    'Everything that happened for a task, oldest first: the task, its hand-offs, its run, its executions, the agents started for them and their upstream calls.',
  ),
  example: '--task-id tsk_…',
  input: z.strictObject({ task_id: taskIdInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({ success, entries: z.array(entrySchema), next_cursor: nextCursor }),
  async run(context, { task_id: given, ...page }) {
    const id = await resolveTaskId(context, given);
    const task = await readTask(context, id);
    const [executions = [], handoffs = []] = await context.store.read([
      executionsQuery(id, mostExecutions),
      { sql: 'select id from work_handoff where task_id = :id order by id desc limit 100', args: { id } },
    ]);
    const instances = executions.flatMap((row) => instanceOfLog(optional(row, 'log_file_path')) ?? []);
    const subjects = [
      id,
      ...(task.runId === null ? [] : [task.runId]),
      ...[...executions, ...handoffs].map((row) => text(row, 'id')),
      ...instances,
    ];
    const [spans = []] = await context.store.read([
      journalQuery({ subjects, kinds: ['execution.started', 'execution.ended'], limit: 2 * mostExecutions }),
    ]);
    const { entries, next } = await readEntries(context, page, (after, limit) => [
      journalQuery({ subjects, after, limit }),
      ...executions.map((row) => callsQuery(row, spans, after, limit)),
    ]);
    return { success: true as const, entries, ...(next !== undefined && { next_cursor: next }) };
  },
});

/** Selects the calls of the agent during an execution: a call names its actor, not the task. */
function callsQuery(execution: Row, spans: readonly Row[], after: number, limit: number): Query {
  const seqOf = (kind: string): number | undefined => {
    const row = spans.find((one) => one['subject'] === execution['id'] && one['kind'] === kind);
    return row === undefined ? undefined : Number(row['seq']);
  };
  return journalQuery({
    kinds: ['upstream.call', 'tool.refused'],
    actor: `:${text(execution, 'agent_id')}`.toLowerCase(),
    // The sequence numbers limit the search; the times apply if the journal has no end of the execution.
    since: text(execution, 'started_at'),
    until: optional(execution, 'completed_at') ?? undefined,
    after: Math.max(after, seqOf('execution.started') ?? 0),
    before: seqOf('execution.ended'),
    limit,
  });
}
