import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { pickPrompt } from '../source/sources.ts';
import { promptInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const showPrompt = defineOperation({
  name: 'show_prompt',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('A prompt as it is written: what the source serves now, or a version or label of the store.'),
  example: '--prompt phase0 --version 2',
  input: z.strictObject({
    prompt: promptInput,
    version: described(z.int().min(1).optional(), 'A version of the store'),
    label: described(z.string().optional(), 'A label of the store: production, latest or another'),
  }),
  output: z.object({
    prompt: z.string(),
    version: z.number(),
    title: z.string().nullable(),
    content: z.string(),
    digest: z.string(),
    source: z.string(),
  }),
  async run(context, input) {
    const { source, ...found } = await pickPrompt(context, input.prompt, input);
    return {
      prompt: found.name,
      version: found.version,
      title: found.title ?? null,
      content: found.content,
      digest: found.digest,
      source,
    };
  },
  present: ({ content }) => ({ text: content, beside: {} }),
});
