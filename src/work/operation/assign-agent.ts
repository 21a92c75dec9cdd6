import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { readAgent } from '../session/agents.ts';
import { assignWrite, readProject } from '../task/projects.ts';
import { agentIdInput, projectIdInput, success } from '../shapes.ts';
import { words } from '../words.ts';

export const assignAgent = defineOperation({
  name: 'assign_agent',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words('Assign an agent to a project, so that it can authenticate there and the Runner can start it.'),
  example: '--project-id prj_frontend --agent-id agt_developer',
  input: z.strictObject({ project_id: projectIdInput, agent_id: agentIdInput }),
  output: z.object({ success, project_id: z.string(), agent_id: z.string() }),
  async run(context, { project_id: project, agent_id: agent }) {
    await readProject(context, project);
    await readAgent(context, agent);
    await context.store.commit(
      [assignWrite(agent, project, context.now().toISOString())],
      [entry(context, project, 'project.agent_assigned', { agent })],
    );
    return { success: true as const, project_id: project, agent_id: agent };
  },
});
