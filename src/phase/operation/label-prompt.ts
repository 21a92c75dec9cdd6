import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { moveLabel } from '../prompt/label.ts';
import { labelInput, labelMoveOutput, promptInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const labelPrompt = defineOperation({
  name: 'label_prompt',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words('Point a label of a prompt at a version.'),
  example: '--prompt phase0 --label staging --version 3',
  input: z.strictObject({
    prompt: promptInput,
    label: described(labelInput, 'production, or a label of your own'),
    version: described(z.int().min(1), 'The version that the label points at'),
  }),
  output: labelMoveOutput,
  async run(context, { prompt, label, version }) {
    const moved = await moveLabel(context, prompt, label, version);
    return { prompt, label, version: moved.version, previous_version: moved.previous ?? null };
  },
});
