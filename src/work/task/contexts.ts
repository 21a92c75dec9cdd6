import type { Context } from '../../kernel/context.ts';
import { actorName, entry } from '../../kernel/store/journal.ts';
import type { Entry, Query, Row, Write } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';

export const contextFields = ['progress', 'findings', 'blockers', 'next_steps'] as const;
export type ContextNotes = { readonly [F in (typeof contextFields)[number]]?: string | null | undefined };

export function contextRecord(row: Row) {
  return {
    task_id: text(row, 'task_id'),
    progress: optional(row, 'progress'),
    findings: optional(row, 'findings'),
    blockers: optional(row, 'blockers'),
    next_steps: optional(row, 'next_steps'),
    saved_by: text(row, 'actor'),
    saved_at: text(row, 'at'),
  };
}

export function latestContextQuery(taskId: string): Query {
  return {
    sql: 'select * from work_context where task_id = :task order by version desc limit 1',
    args: { task: taskId },
  };
}

/** Writes a new version; omitted fields keep their value. A conflict if a version was written after `before` was read. */
export function saveContext(
  context: Context,
  taskId: string,
  before: Row | undefined,
  notes: ContextNotes,
): { readonly write: Write; readonly entry: Entry } {
  const kept = before === undefined ? undefined : contextRecord(before);
  const value = (field: (typeof contextFields)[number]) => notes[field] ?? kept?.[field] ?? null;
  const given = Object.fromEntries(
    contextFields.flatMap((field) => (notes[field] == null ? [] : [[field, notes[field]]])),
  );
  return {
    write: {
      sql: `insert into work_context (task_id, version, actor, progress, findings, blockers, next_steps, at)
        values (:task, :version, :actor, :progress, :findings, :blockers, :next_steps, :at)`,
      args: {
        task: taskId,
        version: Number(before?.['version'] ?? 0) + 1,
        actor: actorName(context.actor),
        progress: value('progress'),
        findings: value('findings'),
        blockers: value('blockers'),
        next_steps: value('next_steps'),
        at: context.now().toISOString(),
      },
      rows: 1,
    },
    entry: entry(context, taskId, 'task.context_saved', given),
  };
}
