import * as z from 'zod';
import { pausedProblem, readPause } from '../../fleet/index.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { shouldStart as decide } from '../session/pairs.ts';
import { told } from '../../kernel/text/described.ts';
import { agentIdInput, projectIdInput } from '../shapes.ts';

export const shouldStart = defineOperation({
  name: 'should_start',
  toolsets: ['work'],
  effect: 'read',
  summary: {
    en: 'Whether to start an instance of this agent for this project, and of which kind. The Runner’s third step; it claims nothing.',
    ja: 'このプロジェクトでこのエージェントを起動すべきかと、その種類を返します。Runner の 3 番目の手順です。タスクの確保はしません。',
  },
  example: '--agent-id agt_developer --project-id prj_frontend',
  input: z.strictObject({ agent_id: agentIdInput, project_id: projectIdInput }),
  output: z.object({
    should_start: z.boolean(),
    ai_type: z.string().optional(),
    reason: told(z.string().optional(), {
      en: 'Why it is not started although there is work: a person must act first',
      ja: '作業があるのに起動しない理由 (先に人の操作が必要です)',
    }),
  }),
  async run(context, input) {
    const kind = await decide(context, input.agent_id, input.project_id);
    if (kind === undefined) return { should_start: false };
    const pause = await readPause(context);
    if (pause !== undefined) return { should_start: false, reason: pausedProblem(pause).in(context.lang) };
    return { should_start: true, ai_type: kind };
  },
});
