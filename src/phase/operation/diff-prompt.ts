import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { unifiedDiff } from '../../base/difference.ts';
import { pickPrompt } from '../prompt/pick.ts';
import { promptInput } from '../shapes.ts';
import { told } from '../../kernel/text/described.ts';

const version = z.int().min(1).optional();

export const diffPrompt = defineOperation({
  name: 'diff_prompt',
  toolsets: ['admin'],
  effect: 'read',
  summary: {
    en: 'What changed between two versions of a prompt.',
    ja: 'プロンプトの 2 つのバージョンの違いを返します。',
  },
  example: '--prompt phase0 --from 1 --to 2',
  input: z.strictObject({
    prompt: promptInput,
    from: told(version, { en: 'Left out: the version before to', ja: '比較元 (省略すると to の 1 つ前)' }),
    to: told(version, { en: 'Left out: the newest', ja: '比較先 (省略すると最新)' }),
  }),
  output: z.object({ prompt: z.string(), from: z.number(), to: z.number(), diff: z.string() }),
  async run(context, input) {
    const after = await pickPrompt(
      context,
      input.prompt,
      input.to === undefined ? { label: 'latest' } : { version: input.to },
    );
    const from = input.from ?? after.version - 1;
    const before = from === 0 ? undefined : await pickPrompt(context, input.prompt, { version: from });
    const names = [`${input.prompt} version ${from}`, `${input.prompt} version ${after.version}`] as const;
    return {
      prompt: input.prompt,
      from,
      to: after.version,
      diff: unifiedDiff(before?.content ?? '', after.content, names),
    };
  },
  present: ({ diff }) => ({ text: diff, beside: {} }),
});
