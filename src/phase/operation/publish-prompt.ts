import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { confine, gatePhrase } from '../../gate/index.ts';
import { type Version, publish, readPrompt } from '../prompt/library.ts';
import { isPromptName, parsePrompt } from '../prompt/prompt.ts';
import { labelInput, promptInput } from '../shapes.ts';
import { invalidInput, phrase } from '../problem.ts';
import { settings } from '../settings.ts';
import { rule } from '../../kernel/text/rule.ts';
import { described, words } from '../words.ts';

export const publishPrompt = defineOperation({
  name: 'publish_prompt',
  toolsets: ['admin'],
  effect: 'write',
  summary: words(
    'Publish a new version of a prompt in the store. Versions never change; production points at the new one.',
  ),
  example: '--prompt phase0 --file prompts/phase0.md',
  input: z.strictObject({
    prompt: promptInput,
    content: described(z.string().optional(), 'The text, front matter allowed'),
    file: described(z.string().optional(), 'A file of the project, instead of content'),
    title: described(z.string().optional(), 'Title; if omitted, the one in the front matter'),
    note: described(z.string().optional(), 'What changed'),
    labels: described(
      z.array(labelInput).default(['production']),
      'The labels that point at it; use another label to test it first',
    ),
    expected_version: described(
      z.int().min(0).optional(),
      'The newest version that you know; refused if there is a newer one',
    ),
  }),
  output: z.object({
    prompt: z.string(),
    version: z.number(),
    title: z.string().nullable(),
    digest: z.string(),
    labels: z.array(z.string()),
    served: described(z.boolean(), 'Whether clients of this project now get this version'),
  }),
  async run(context, input) {
    if (!isPromptName(input.prompt))
      throw invalidInput('/prompt', context.say(phrase.promptName({ name: input.prompt })));
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

/** Reads the label again: another person may have moved it since. */
async function isServed(context: Context, { name, version }: Version): Promise<boolean> {
  const { source, label } = settings.of(context).phases;
  return source === 'store' && (await readPrompt(context, name, { label }))?.version === version;
}

async function textOf(
  context: Context,
  { content, file }: { content?: string | undefined; file?: string | undefined },
): Promise<string> {
  if ((content === undefined) === (file === undefined))
    throw invalidInput('/content', rule(words('give either content or file')));
  if (content !== undefined) return content;
  const inside = await confine(context.project.tree, file ?? '');
  if (typeof inside === 'string')
    throw invalidInput('/file', context.say(gatePhrase.artifactFault({ path: file ?? '', fault: inside })));
  return readFile(inside.absolute, 'utf8');
}
