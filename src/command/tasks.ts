import type { JsonObject } from '../base/json-object.ts';
import { listTasks } from '../work/operation/list-tasks.ts';
import { shortForm } from './frame/short-form.ts';

export const tasks = shortForm({
  operation: listTasks,
  usage: 'sekisho tasks [project] [--status todo]',
  examples: ['sekisho tasks', 'sekisho tasks --status in_progress', 'sekisho tasks --json'],
  words: ({ positionals: [project] }) => (project === undefined ? {} : { project_id: project }),
  view: (output) => ({
    tasks: (output['tasks'] as readonly JsonObject[]).map((one) => ({
      id: one['task_id'],
      status: one['status'],
      priority: one['priority'],
      title: one['title'],
      assignee: one['assignee_id'],
    })),
  }),
});
