import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { removeLabel } from '../prompt/label.ts';
import { labelInput, promptInput } from '../shapes.ts';
import { told } from '../../kernel/text/described.ts';

export const withdrawPrompt = defineOperation({
  name: 'withdraw_prompt',
  toolsets: ['admin'],
  effect: 'write',
  summary: {
    en: 'Take a label off a prompt. Readers by that label hear that it is gone; every version stays.',
    ja: 'プロンプトからラベルを外します。そのラベルでは配信されなくなります。バージョンはすべて残ります。',
  },
  example: '--prompt phase0',
  input: z.strictObject({
    prompt: promptInput,
    label: told(labelInput.default('production'), { en: 'Which label is taken away', ja: '外すラベル' }),
  }),
  output: z.object({ prompt: z.string(), label: z.string() }),
  async run(context, { prompt, label }) {
    await removeLabel(context, prompt, label);
    return { prompt, label };
  },
});
