import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { findPhase, phaseLabel } from '../plan/plan.ts';
import { contextOfProject } from '../plan/project.ts';
import { projectPathInput } from '../shapes.ts';
import { saveCheckpoint } from '../plan/state.ts';
import { checkSize } from '../plan/transition.ts';
import { phrase } from '../problem.ts';
import { described, words } from '../words.ts';

export const savePhaseResult = defineOperation({
  name: 'save_phase_result',
  toolsets: ['phase'],
  effect: 'write',
  summary: words('Save a checkpoint of a phase without leaving it.'),
  example: '--phase phase3 --result \'{"checkpoint":"login_done","data":{"remaining":["logout"]}}\'',
  input: z.strictObject({
    phase: described(z.string(), 'Which phase'),
    result: described(
      z.looseObject({
        checkpoint: described(z.string().min(1), 'Name of the checkpoint'),
        data: described(z.record(z.string(), z.unknown()), 'What to keep'),
      }),
      'The checkpoint; further fields are kept',
    ),
    projectPath: projectPathInput,
  }),
  output: z.object({ message: z.string(), savedAt: z.string() }),
  async run(context, input) {
    findPhase(context, input.phase);
    checkSize(context, '/result', input.result);
    const savedAt = await saveCheckpoint(contextOfProject(context, input.projectPath), input.phase, input.result);
    const { checkpoint } = input.result;
    return { message: context.say(phrase.checkpoint({ phase: phaseLabel(input.phase), checkpoint })), savedAt };
  },
  present: ({ message, savedAt }) => ({ text: message, beside: { savedAt } }),
});
