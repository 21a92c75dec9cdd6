import * as z from 'zod';
import { pausedProblem, readPause } from '../../fleet/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { findStart } from '../runner/find-start.ts';
import { agentIdInput, projectIdInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const shouldStart = defineOperation({
  name: 'should_start',
  toolsets: ['work'],
  effect: 'read',
  summary: words(
    'Whether to start an instance of this agent for this project, and of which kind. The Runner’s third step; it claims nothing.',
  ),
  example: '--agent-id agt_developer --project-id prj_frontend',
  input: z.strictObject({ agent_id: agentIdInput, project_id: projectIdInput }),
  output: z.object({
    should_start: z.boolean(),
    ai_type: z.string().optional(),
    reason: described(z.string().optional(), 'Why it is not started although there is work: a person must act first'),
  }),
  async run(context, input) {
    const found = await findStart(context, input.agent_id, input.project_id);
    if (found?.task === undefined) {
      const wait = found?.waits.find((one) => one.for !== 'tree');
      return { should_start: false, ...(wait !== undefined && { reason: wait.reason }) };
    }
    const pause = await readPause(context);
    if (pause !== undefined) return { should_start: false, reason: pausedProblem(pause).in(context.lang) };
    return { should_start: true, ai_type: found.aiType };
  },
});
