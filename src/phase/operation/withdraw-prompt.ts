import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { removeLabel } from '../prompt/label.ts';
import { labelInput, promptInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const withdrawPrompt = defineOperation({
  name: 'withdraw_prompt',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Take a label off a prompt. Readers by that label hear that it is gone; every version stays.'),
  example: '--prompt phase0',
  input: z.strictObject({
    prompt: promptInput,
    label: described(labelInput.default('production'), 'Which label is taken away'),
  }),
  output: z.object({ prompt: z.string(), label: z.string() }),
  async run(context, { prompt, label }) {
    await removeLabel(context, prompt, label);
    return { prompt, label };
  },
});
