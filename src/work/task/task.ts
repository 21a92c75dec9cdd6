import type { Query, Row } from '../../kernel/store/store.ts';
import { optional, parsed, text } from '../../kernel/store/row.ts';

export const statuses = ['backlog', 'todo', 'in_progress', 'blocked', 'done', 'cancelled'] as const;
export type Status = (typeof statuses)[number];

/** The priorities, most urgent first. The store keeps the index. */
export const priorities = ['urgent', 'high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

export const moves: Readonly<Record<Status, readonly Status[]>> = {
  backlog: ['todo', 'cancelled'],
  todo: ['in_progress', 'backlog', 'cancelled'],
  in_progress: ['done', 'blocked', 'todo'],
  blocked: ['in_progress', 'cancelled'],
  done: [],
  cancelled: [],
};

/** Reports whether a task is finished, so that no other task waits for it. */
export function isClosed(status: Status): boolean {
  return status === 'done' || status === 'cancelled';
}

export type Task = Readonly<ReturnType<typeof toTask>>;

/** Selects tasks with their dependencies and their claim by a session that is live at `:now`. Append `where` and the rest. */
export const selectTasks = `select t.*, a.agent_id as claimed_by, a.session_expires_at as claimed_until,
    (select string_agg(d.depends_on, ',') from work_dependency d where d.task_id = t.id) as depends_on
  from work_task t left join work_assignment a on a.session = t.session and a.session_expires_at > :now`;

/** SQL condition on a task `t`: everything that it depends on is closed. */
export const isBehindNone = `not exists (select 1 from work_dependency d join work_task o on o.id = d.depends_on
  where d.task_id = t.id and o.status not in ('done', 'cancelled'))`;

/** SQL condition on a task `t`: it can start now. */
export const isReady = `t.status = 'todo' and ${isBehindNone}`;

/**
 * SQL condition on a task `t`: it belongs to no agent and can be worked on now. That includes a task whose agent was taken
 * away from it; a task that was handed over to an agent waits for that one.
 */
export const isUnassigned = `t.assignee_id is null and ((${isReady}) or (t.status = 'in_progress' and t.reported is null))
  and not exists (select 1 from work_handoff h where h.task_id = t.id and h.status = 'pending' and h.to_agent_id is not null)`;

export function toTask(row: Row) {
  const by = optional(row, 'claimed_by');
  return {
    id: text(row, 'id'),
    projectId: text(row, 'project_id'),
    number: numberIn(row),
    title: text(row, 'title'),
    description: text(row, 'description'),
    status: text(row, 'status') as Status,
    priority: priorities[Number(row['priority'])] ?? ('medium' as const),
    assigneeId: optional(row, 'assignee_id'),
    assignedAt: optional(row, 'assigned_at'),
    parentId: optional(row, 'parent_id'),
    dependsOn: (optional(row, 'depends_on')?.split(',').toSorted() ?? []) as readonly string[],
    labels: parsed(row, 'labels') as readonly string[],
    acceptance: parsed(row, 'acceptance') as readonly string[],
    processId: optional(row, 'process_id'),
    runId: optional(row, 'run_id'),
    /** The session that works on the task; it may have expired. */
    session: optional(row, 'session'),
    /** The agent and the expiry of that session, if it is live. */
    claim: by === null ? undefined : { agentId: by, until: text(row, 'claimed_until') },
    summary: optional(row, 'summary'),
    reported: optional(row, 'reported') as 'success' | null,
    attempts: Number(row['attempts'] ?? 0),
    failure: optional(row, 'failure'),
    revision: Number(row['revision']),
    createdAt: text(row, 'created_at'),
    updatedAt: text(row, 'updated_at'),
    startedAt: optional(row, 'started_at'),
    completedAt: optional(row, 'completed_at'),
  };
}

export function numberIn(row: Row): number | null {
  return row['number'] == null ? null : Number(row['number']);
}

/** A task as tools return it. */
export function taskRecord(task: Task) {
  return {
    task_id: task.id,
    project_id: task.projectId,
    number: task.number,
    title: task.title,
    description: task.description,
    status: task.status,
    priority: task.priority,
    assignee_id: task.assigneeId,
    parent_id: task.parentId,
    depends_on: task.dependsOn,
    labels: task.labels,
    acceptance: task.acceptance,
    process_id: task.processId,
    run_id: task.runId,
    claimed_by: task.claim?.agentId ?? null,
    claimed_until: task.claim?.until ?? null,
    summary: task.summary,
    reported: task.reported,
    attempts: task.attempts,
    revision: task.revision,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    started_at: task.startedAt,
    completed_at: task.completedAt,
  };
}

/** A list of ids for SQL's `in`. */
export function idList(ids: readonly string[]): Query {
  return {
    sql: ids.length === 0 ? "''" : ids.map((_, index) => `:id${index}`).join(', '),
    args: Object.fromEntries(ids.map((id, index) => [`id${index}`, id])),
  };
}
