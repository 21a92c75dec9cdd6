import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { revokeSessions } from '../session/sessions.ts';
import { agentIdInput, projectIdInput, success } from '../shapes.ts';
import { withdrawAddressed } from '../task/handoffs.ts';
import { problem } from '../problem.ts';
import { words } from '../words.ts';

export const unassignAgent = defineOperation({
  name: 'unassign_agent',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Remove an agent from a project. Its session there ends immediately; its tasks stay assigned to it.'),
  example: '--project-id prj_frontend --agent-id agt_developer',
  input: z.strictObject({ project_id: projectIdInput, agent_id: agentIdInput }),
  output: z.object({ success, project_id: z.string(), agent_id: z.string() }),
  async run(context, { project_id: project, agent_id: agent }) {
    const outcome = await context.store.commit(
      [
        ...(await revokeSessions(context, agent, project)),
        {
          sql: 'delete from work_assignment where agent_id = :agent and project_id = :project',
          args: { agent, project },
          rows: 1,
        },
        withdrawAddressed(agent, project),
      ],
      [entry(context, project, 'project.agent_unassigned', { agent })],
    );
    if (!outcome.done) throw problem.NOT_ASSIGNED({ agent_id: agent, project_id: project });
    return { success: true as const, project_id: project, agent_id: agent };
  },
});
