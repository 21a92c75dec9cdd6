import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { rollBack } from '../prompt/label.ts';
import { labelInput, labelMoveOutput, promptInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const rollBackPrompt = defineOperation({
  name: 'roll_back_prompt',
  toolsets: ['admin'],
  effect: 'write',
  summary: words(
    'Roll a prompt back to the previous version of its label, one step per call, or to the version that you name.',
  ),
  example: '--prompt phase0',
  input: z.strictObject({
    prompt: promptInput,
    to: described(z.int().min(1).optional(), 'Which version; if omitted, the previous one'),
    label: described(labelInput.default('production'), 'Which label to roll back'),
  }),
  output: labelMoveOutput,
  async run(context, { prompt, label, to }) {
    const moved = await rollBack(context, prompt, label, to);
    return { prompt, label, version: moved.version, previous_version: moved.previous ?? null };
  },
});
