import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { findPhase, phaseLabel } from '../plan/plan.ts';
import { inProject } from '../plan/project.ts';
import { projectPathInput } from '../shapes.ts';
import { saveCheckpoint } from '../plan/state.ts';
import { checkSize } from '../plan/transition.ts';
import { phrase } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const savePhaseResult = defineOperation({
  name: 'save_phase_result',
  toolsets: ['phase'],
  effect: 'write',
  summary: {
    en: 'Save a checkpoint of a phase without leaving it.',
    ja: 'フェーズを離れずにチェックポイントを保存します。',
  },
  example: '--phase phase3 --result \'{"checkpoint":"login_done","data":{"remaining":["logout"]}}\'',
  input: z.strictObject({
    phase: told(z.string(), { en: 'Which phase', ja: 'フェーズの ID' }),
    result: told(
      z.looseObject({
        checkpoint: told(z.string().min(1), { en: 'Name of the checkpoint', ja: 'チェックポイントの名前' }),
        data: told(z.record(z.string(), z.unknown()), { en: 'What to keep', ja: '保存する内容' }),
      }),
      { en: 'The checkpoint; further fields are kept', ja: 'チェックポイント (ほかの項目も保存されます)' },
    ),
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
