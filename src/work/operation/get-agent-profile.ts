import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { agentRecord, projectsOf, readAgent } from '../session/agents.ts';
import { agentIdInput, agentSchema, success } from '../shapes.ts';
import { words } from '../words.ts';

export const getAgentProfile = defineOperation({
  name: 'get_agent_profile',
  toolsets: ['work'],
  effect: 'read',
  summary: words('An agent’s name, role, kind and projects.'),
  example: '--agent-id agt_developer',
  input: z.strictObject({ agent_id: agentIdInput }),
  output: z.object({ success, agent: agentSchema.extend({ projects: z.array(z.string()).readonly() }) }),
  async run(context, input) {
    const row = await readAgent(context, input.agent_id);
    const projects = await projectsOf(context, input.agent_id);
    return { success: true as const, agent: { ...agentRecord(row), projects } };
  },
});
