import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { text } from '../../kernel/store/row.ts';
import { findStart } from '../runner/find-start.ts';
import { success } from '../shapes.ts';
import { stuckQuery, stuckTasks } from '../task/stuck.ts';
import { described, words } from '../words.ts';

export const listWaits = defineOperation({
  name: 'list_waits',
  toolsets: ['work'],
  effect: 'read',
  summary: words('What agents wait for, and what is stuck.'),
  input: z.strictObject({ project_id: described(z.string().optional(), 'Only of this project') }),
  output: z.object({
    success,
    waits: z.array(
      z.object({
        agent_id: z.string(),
        project_id: z.string(),
        task_id: z.string(),
        title: z.string(),
        for: z.enum(['person', 'tree', 'attempts']),
        reason: z.string(),
      }),
    ),
    stuck: z.object({
      blocked: described(z.number(), 'Tasks that a person must look at'),
      behind: described(z.number(), 'Tasks that depend on them'),
      unassigned: described(z.number(), 'Ready tasks that no agent may take'),
    }),
  }),
  async run(context, { project_id: project }) {
    const [pairs = [], stuck = []] = await context.store.read([
      {
        sql: `select w.agent_id as agent_id, w.project_id as project_id from work_assignment w
          join work_agent g on g.id = w.agent_id join work_project p on p.id = w.project_id
          where g.status = 'active' and p.status = 'active' ${project === undefined ? '' : 'and p.id = :project'}
          order by p.ord, g.ord`,
        args: project === undefined ? {} : { project },
      },
      stuckQuery(project),
    ]);
    const waits = [];
    for (const pair of pairs) {
      const [agentId, projectId] = [text(pair, 'agent_id'), text(pair, 'project_id')];
      for (const { task, for: what, reason } of (await findStart(context, agentId, projectId))?.waits ?? [])
        waits.push({
          agent_id: agentId,
          project_id: projectId,
          task_id: task.id,
          title: task.title,
          for: what,
          reason,
        });
    }
    return { success: true as const, waits, stuck: stuckTasks(stuck) };
  },
});
