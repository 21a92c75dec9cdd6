import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { groupIdInput, notesSchema, startedSchema, taskInput } from '../shapes.ts';
import { checkGroup, startNotes, submit } from '../plan/submit.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const runAgents = defineOperation({
  name: 'run_agents',
  toolsets: ['fleet'],
  effect: 'write',
  summary: words('Start one or more agents in a group. They run in the background; use wait_agent to wait for them.'),
  example: `--group-id grp-1767225600-1a2b --agents '[{"role":"code-review","prompt":"Review src/"}]'`,
  input: z.strictObject({
    groupId: groupIdInput,
    agents: described(z.array(taskInput), 'The agents to start, at least one'),
  }),
  output: z.object({ agents: z.array(startedSchema), total: z.number(), notes: notesSchema }),
  async run(context, { groupId, agents }) {
    if (agents.length === 0) throw problem.EMPTY_AGENTS();
    await checkGroup(context, { groupId, mode: 'concurrent' });
    const started = await submit(context, { groupId, mode: 'concurrent', stages: [agents], onFailure: 'continue' });
    return {
      agents: started.map(({ agentId, role, model, status }) => ({ agentId, groupId, role, model, status })),
      total: started.length,
      ...(await startNotes(context, started)),
    };
  },
});
