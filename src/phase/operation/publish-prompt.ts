import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { Problem } from '../../kernel/problem.ts';
import { confine } from '../../gate/index.ts';
import type { Version } from '../prompt/library.ts';
import { publish, readPrompt } from '../prompt/library.ts';
import { isPromptName, parsePrompt } from '../prompt/prompt.ts';
import { labelInput, promptInput } from '../shapes.ts';
import { phrase } from '../problem.ts';
import { gatePhrase } from '../../gate/index.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { settings } from '../settings.ts';
import { told } from '../../kernel/text/described.ts';
import { rule } from '../../kernel/text/rule.ts';

export const publishPrompt = defineOperation({
  name: 'publish_prompt',
  toolsets: ['admin'],
  effect: 'write',
  summary: {
    en: 'Publish a new version of a prompt in the store. Versions never change; production points at the new one.',
    ja: 'プロンプトの新しいバージョンをデータベースに公開します。公開済みのバージョンは変わりません。production は新しいものを指します。',
  },
  example: '--prompt phase0 --file prompts/phase0.md',
  input: z.strictObject({
    prompt: promptInput,
    content: told(z.string().optional(), {
      en: 'The text, front matter allowed',
      ja: '本文 (フロントマターも書けます)',
    }),
    file: told(z.string().optional(), {
      en: 'A file of the project, instead of content',
      ja: '本文の代わりに使うプロジェクトのファイル',
    }),
    title: told(z.string().optional(), { en: 'Else the front matter’s', ja: '題名 (省略するとフロントマターの値)' }),
    note: told(z.string().optional(), { en: 'What changed', ja: '変更点' }),
    labels: told(z.array(labelInput).default(['production']), {
      en: 'Which labels shall point at it; give another one to try it first',
      ja: '付けるラベル。先に試すときは別のラベルを指定',
    }),
    expected_version: told(z.int().min(0).optional(), {
      en: 'The newest version that you know of; refused if there is a newer',
      ja: '知っている最新のバージョン。より新しいものがあれば拒否されます',
    }),
  }),
  output: z.object({
    prompt: z.string(),
    version: z.number(),
    title: z.string().nullable(),
    digest: z.string(),
    labels: z.array(z.string()),
    served: told(z.boolean(), {
      en: 'Whether clients of this project now get this version',
      ja: 'このプロジェクトのクライアントにこのバージョンが配信されるか',
    }),
  }),
  async run(context, input) {
    if (!isPromptName(input.prompt)) throw invalid('/prompt', context.say(phrase.promptName({ name: input.prompt })));
    const parsed = parsePrompt(input.prompt, await textOf(context, input), input.file ?? 'content');
    const made = await publish(context, {
      name: input.prompt,
      content: parsed.content,
      title: input.title ?? parsed.title,
      note: input.note,
      labels: [...new Set(input.labels)],
      expected: input.expected_version,
    });
    return {
      prompt: made.name,
      version: made.version,
      title: made.title ?? null,
      digest: made.digest,
      labels: input.labels,
      served: await isServed(context, made),
    };
  },
});

/** Read anew: somebody else may have moved the label since. */
async function isServed(context: Context, { name, version }: Version): Promise<boolean> {
  const { source, label } = settings.of(context).phases;
  return source === 'store' && (await readPrompt(context, name, { label }))?.version === version;
}

async function textOf(
  context: Context,
  { content, file }: { content?: string | undefined; file?: string | undefined },
): Promise<string> {
  if ((content === undefined) === (file === undefined))
    throw invalid(
      '/content',
      rule({ en: 'give either content or file', ja: 'content か file のどちらか一方を指定してください' }),
    );
  if (content !== undefined) return content;
  const inside = await confine(context.project.tree, file ?? '');
  if (typeof inside === 'string')
    throw invalid('/file', context.say(gatePhrase.artifactFault({ path: file ?? '', fault: inside })));
  return readFile(inside.absolute, 'utf8');
}

function invalid(path: string, message: string): Problem {
  return kernelProblem.VALIDATION_ERROR({ errors: [{ path, message }] }, { validation_errors: [{ path, message }] });
}
