import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { findPhase, phaseLabel } from '../plan/plan.ts';
import { inProject } from '../plan/project.ts';
import { projectPathInput } from '../shapes.ts';
import { transition } from '../plan/transition.ts';
import { phrase } from '../problem.ts';
import { told } from '../../kernel/text/described.ts';

export const transitionToNextPhase = defineOperation({
  name: 'transition_to_next_phase',
  toolsets: ['phase'],
  effect: 'write',
  summary: {
    en: 'Finish the phase in progress and begin the next one, or report that it is partly done or failed.',
    ja: '進行中のフェーズを終えて次を始めるか、途中または失敗を報告します。',
  },
  example: '--current-phase phase0 --result \'{"status":"completed","outputFiles":["docs/requirements.md"]}\'',
  input: z.strictObject({
    currentPhase: told(z.string(), { en: 'The phase in progress', ja: '進行中のフェーズ' }),
    result: told(
      z.looseObject({
        status: told(z.enum(['completed', 'partial', 'failed']), {
          en: 'completed begins the next phase; partial and failed are saved and stay',
          ja: 'completed で次のフェーズが始まります。partial と failed は保存だけで、フェーズは進みません',
        }),
        outputFiles: told(z.array(z.string()).optional(), {
          en: 'Files that the phase produced, relative to the project',
          ja: 'フェーズで作成したファイル (プロジェクトからの相対パス)',
        }),
        summary: told(z.string().optional(), {
          en: 'What was done, for whoever reads it in the next phase',
          ja: '行ったこと (次のフェーズの読み手のため)',
        }),
      }),
      { en: 'How the phase went; further fields are kept', ja: 'フェーズの結果 (ほかの項目も保存されます)' },
    ),
    projectPath: projectPathInput,
  }),
  output: z.object({
    message: z.string(),
    nextPhase: told(z.string().nullable(), {
      en: 'The phase that is in progress now; null where all are finished',
      ja: '今進行中のフェーズ (すべて終わっていれば null)',
    }),
    transitionedAt: z.string(),
  }),
  async run(context, input) {
    const { currentPhase, result } = input;
    findPhase(context, currentPhase);
    const { next, at } = await transition(inProject(context, input.projectPath), currentPhase, result);
    const phase = phaseLabel(currentPhase);
    const message =
      result.status !== 'completed'
        ? context.say(phrase.kept({ phase, status: result.status }))
        : next === null
          ? context.say(phrase.finished({ phase }))
          : context.say(phrase.completed({ phase, next: phaseLabel(next) }));
    return { message, nextPhase: next, transitionedAt: at };
  },
  present: ({ message, nextPhase, transitionedAt }) => ({ text: message, beside: { nextPhase, transitionedAt } }),
});
