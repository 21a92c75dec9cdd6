import type { Context } from '../../kernel/context.ts';
import type { Write } from '../../kernel/store.ts';
import type { Task } from './task.ts';
import { priorities } from './task.ts';
import { dependencyWrite } from './tasks.ts';

export type NewTask = Pick<
  Task,
  | 'id'
  | 'projectId'
  | 'title'
  | 'description'
  | 'status'
  | 'priority'
  | 'assigneeId'
  | 'parentId'
  | 'dependsOn'
  | 'labels'
  | 'acceptance'
  | 'processId'
>;

/** An id that is taken makes this a conflict. */
export function insertTask(context: Context, task: NewTask, createdAt?: string): readonly Write[] {
  const at = context.now().toISOString();
  return [
    {
      sql: `insert into work_task (id, ord, project_id, title, description, status, priority, assignee_id, assigned_at, parent_id,
          labels, acceptance, process_id, revision, created_at, updated_at)
        values (:id, :ord, :project, :title, :description, :status, :priority, :assignee, :assigned, :parent,
          :labels, :acceptance, :process, 1, :created, :at)`,
      args: {
        id: task.id,
        ord: context.newId(''),
        project: task.projectId,
        title: task.title,
        description: task.description,
        status: task.status,
        priority: priorities.indexOf(task.priority),
        assignee: task.assigneeId,
        assigned: task.assigneeId === null ? null : at,
        parent: task.parentId,
        labels: JSON.stringify(task.labels),
        acceptance: JSON.stringify(task.acceptance),
        process: task.processId,
        created: createdAt ?? at,
        at,
      },
      rows: 1,
    },
    ...task.dependsOn.map((other) => dependencyWrite(task.id, other)),
  ];
}
