import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { moveLabel } from '../prompt/label.ts';
import { labelInput, promptInput } from '../shapes.ts';
import { told } from '../../kernel/text/described.ts';

export const labelPrompt = defineOperation({
  name: 'label_prompt',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: { en: 'Point a label of a prompt at a version.', ja: 'プロンプトのラベルを、あるバージョンに付けます。' },
  example: '--prompt phase0 --label staging --version 3',
  input: z.strictObject({
    prompt: promptInput,
    label: told(labelInput, { en: 'production, or a label of your own', ja: 'production、または独自のラベル' }),
    version: told(z.int().min(1), { en: 'The version that the label shall point at', ja: 'ラベルを付けるバージョン' }),
  }),
  output: z.object({
    prompt: z.string(),
    label: z.string(),
    version: z.number(),
    previous_version: z.number().nullable(),
  }),
  async run(context, { prompt, label, version }) {
    const moved = await moveLabel(context, prompt, label, version);
    return { prompt, label, version: moved.version, previous_version: moved.previous ?? null };
  },
});
