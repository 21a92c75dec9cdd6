import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { findPhase, phaseLabel } from '../plan/plan.ts';
import { inProject } from '../plan/project.ts';
import { projectPathInput } from '../shapes.ts';
import { saveCheckpoint } from '../plan/state.ts';
import { checkSize } from '../plan/transition.ts';
import { phrase } from '../problem.ts';

export const savePhaseResult = defineOperation({
  name: 'save_phase_result',
  toolsets: ['phase'],
  effect: 'write',
  summary: 'Save a checkpoint of a phase without leaving it.',
  example: '--phase phase3 --result \'{"checkpoint":"login_done","data":{"remaining":["logout"]}}\'',
  input: z.strictObject({
    phase: z.string().describe('Which phase'),
    result: z
      .looseObject({
        checkpoint: z.string().min(1).describe('Name of the checkpoint'),
        data: z.record(z.string(), z.unknown()).describe('What to keep'),
      })
      .describe('The checkpoint; further fields are kept'),
    projectPath: projectPathInput,
  }),
  output: z.object({ message: z.string(), savedAt: z.string() }),
  async run(context, input) {
    findPhase(context, input.phase);
    checkSize(context, '/result', input.result);
    const savedAt = await saveCheckpoint(inProject(context, input.projectPath), input.phase, input.result);
    const { checkpoint } = input.result;
    return { message: context.say(phrase.checkpoint({ phase: phaseLabel(input.phase), checkpoint })), savedAt };
  },
  present: ({ message, savedAt }) => ({ text: message, beside: { savedAt } }),
});
