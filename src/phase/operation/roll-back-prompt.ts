import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { rollBack } from '../prompt/label.ts';
import { labelInput, promptInput } from '../shapes.ts';
import { told } from '../../kernel/text/described.ts';

export const rollBackPrompt = defineOperation({
  name: 'roll_back_prompt',
  toolsets: ['admin'],
  effect: 'write',
  summary: {
    en: 'Serve an earlier version of a prompt again: what the label pointed at before, one step further each time, or the one you name.',
    ja: 'プロンプトを前のバージョンに戻します。指定がなければ、ラベルが前に指していたものへ 1 つずつ戻ります。',
  },
  example: '--prompt phase0',
  input: z.strictObject({
    prompt: promptInput,
    to: told(z.int().min(1).optional(), {
      en: 'Which version; left out: the one before',
      ja: '戻す先のバージョン (省略すると 1 つ前)',
    }),
    label: told(labelInput.default('production'), { en: 'Which label goes back', ja: '戻すラベル' }),
  }),
  output: z.object({
    prompt: z.string(),
    label: z.string(),
    version: z.number(),
    previous_version: z.number().nullable(),
  }),
  async run(context, { prompt, label, to }) {
    const moved = await rollBack(context, prompt, label, to);
    return { prompt, label, version: moved.version, previous_version: moved.previous ?? null };
  },
});
