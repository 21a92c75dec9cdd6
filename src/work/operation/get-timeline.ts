import * as z from 'zod';
import { journalQuery } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { cutPage, decodePosition } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { optional, parsed, text } from '../../kernel/store/row.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { instanceOfLog, selectExecutions } from '../session/executions.ts';
import { cursorInput, nextCursor, success, taskIdInput } from '../shapes.ts';
import { readTask } from '../task/tasks.ts';
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
  output: z.object({
    success,
    entries: z.array(
      z.object({
        seq: z.number(),
        at: z.string(),
        actor: z.string(),
        subject: z.string(),
        kind: z.string(),
        data: z.unknown(),
      }),
    ),
    next_cursor: nextCursor,
  }),
  async run(context, { task_id: id, limit, cursor }) {
    const task = await readTask(context, id);
    const [executions = [], handoffs = []] = await context.store.read([
      { sql: `${selectExecutions} where e.task_id = :id order by e.id desc limit ${mostExecutions}`, args: { id } },
      { sql: 'select id from work_handoff where task_id = :id order by id desc limit 100', args: { id } },
    ]);
    const instances = executions.flatMap((row) => instanceOfLog(optional(row, 'log_file_path')) ?? []);
    const subjects = [
      id,
      ...(task.runId === null ? [] : [task.runId]),
      ...[...executions, ...handoffs].map((row) => text(row, 'id')),
      ...instances,
    ];
    const after = decodePosition(cursor) ?? 0;
    const [spans = []] = await context.store.read([
      journalQuery({ subjects, kinds: ['execution.started', 'execution.ended'], limit: 2 * mostExecutions }),
    ]);
    const found = await context.store.read([
      journalQuery({ subjects, after, limit: limit + 1 }),
      ...executions.map((row) => callsQuery(row, spans, after, limit + 1)),
    ]);
    const rows = found.flat().toSorted((one, other) => Number(one['seq']) - Number(other['seq']));
    const page = cutPage(rows, limit, (row) => String(row['seq']));
    return {
      success: true as const,
      entries: page.rows.map((row) => ({
        seq: Number(row['seq']),
        at: text(row, 'at'),
        actor: text(row, 'actor'),
        subject: text(row, 'subject'),
        kind: text(row, 'kind'),
        data: parsed(row, 'data'),
      })),
      ...(page.next !== undefined && { next_cursor: page.next }),
    };
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
