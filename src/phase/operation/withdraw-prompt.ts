import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { removeLabel } from '../prompt/label.ts';
import { labelInput, promptInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const withdrawPrompt = defineOperation({
  name: 'withdraw_prompt',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Remove a label from a prompt. Clients that use this label get "not found". No version is deleted.'),
  example: '--prompt phase0',
  input: z.strictObject({
    prompt: promptInput,
    label: described(labelInput.default('production'), 'Which label to remove'),
  }),
  output: z.object({ prompt: z.string(), label: z.string() }),
  async run(context, { prompt, label }) {
    await removeLabel(context, prompt, label);
    return { prompt, label };
  },
});
