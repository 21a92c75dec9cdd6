import type { JsonObject } from '../base/json-object.ts';
import { listTasks } from '../work/operation/list-tasks.ts';
import { readNames } from '../work/task/names.ts';
import { shortForm } from './frame/short-form.ts';

export const tasks = shortForm({
  operation: listTasks,
  usage: 'sekisho tasks [project] [--status todo]',
  examples: ['sekisho tasks', 'sekisho tasks --status in_progress', 'sekisho tasks --json'],
  words: ({ positionals: [project] }) => (project === undefined ? {} : { project_id: project }),
  async view(output, context) {
    const shown = output['tasks'] as readonly JsonObject[];
    const names = await readNames(context);
    const nameOf = (id: unknown) => (typeof id === 'string' ? names.of(id) : null);
    const isMixed = shown.some((one) => one['project_id'] !== shown[0]?.['project_id']);
    return {
      tasks: shown.map((one) => ({
        task: one['number'] === null ? one['task_id'] : `#${Number(one['number'])}`,
        ...(isMixed && { project: nameOf(one['project_id']) }),
        status: one['status'],
        priority: one['priority'],
        title: one['title'],
        assignee: nameOf(one['assignee_id']),
      })),
    };
  },
});
