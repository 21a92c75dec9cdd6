import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { moveLabel } from '../prompt/library.ts';
import { labelInput, promptInput } from '../shapes.ts';

export const rollBackPrompt = defineOperation({
  name: 'roll_back_prompt',
  toolsets: ['admin'],
  effect: 'write',
  summary: 'Serve an earlier version of a prompt again: the one that the label pointed at before, or the one you name.',
  example: '--prompt phase0',
  input: z.strictObject({
    prompt: promptInput,
    to: z.int().min(1).optional().describe('Which version; left out: the one before'),
    label: labelInput.default('production').describe('Which label goes back one version'),
  }),
  output: z.object({
    prompt: z.string(),
    label: z.string(),
    version: z.number(),
    previous_version: z.number().nullable(),
  }),
  async run(context, { prompt, label, to }) {
    const moved = await moveLabel(context, prompt, label, to);
    return { prompt, label, version: moved.version, previous_version: moved.previous ?? null };
  },
});
