import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { unifiedDiff } from '../../base/difference.ts';
import { pickPrompt } from '../source/sources.ts';
import { promptInput } from '../shapes.ts';
import { described, words } from '../words.ts';

const version = z.int().min(1).optional();

export const diffPrompt = defineOperation({
  name: 'diff_prompt',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('What changed between two versions of a prompt.'),
  example: '--prompt phase0 --from 1 --to 2',
  input: z.strictObject({
    prompt: promptInput,
    from: described(version, 'If omitted, the version before to'),
    to: described(version, 'If omitted, the newest'),
  }),
  output: z.object({ prompt: z.string(), from: z.number(), to: z.number(), diff: z.string() }),
  async run(context, input) {
    const { prompt, to } = input;
    const after = await pickPrompt(context, prompt, to === undefined ? { label: 'latest' } : { version: to });
    const from = input.from ?? after.version - 1;
    const before = from === 0 ? undefined : await pickPrompt(context, prompt, { version: from });
    const names = [`${prompt} version ${from}`, `${prompt} version ${after.version}`] as const;
    const diff = unifiedDiff(before?.content ?? '', after.content, names);
    return { prompt, from, to: after.version, diff };
  },
  present: ({ diff }) => ({ text: diff, beside: {} }),
});
