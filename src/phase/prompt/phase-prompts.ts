import type { Context } from '../../kernel/context.ts';
import type { Prompt } from '../../kernel/operation.ts';
import { wordsOf } from '../../kernel/text/text.ts';
import { isPromptName } from './prompt.ts';
import { servePrompt } from './serve.ts';
import { sourceOf } from '../source/sources.ts';
import { phrase } from '../problem.ts';
import { settings } from '../settings.ts';

/** Every phase as an MCP prompt, so that clients show it as a command. */
export function phasePrompts(context: Context): Promise<readonly Prompt[]> {
  const source = sourceOf(context);
  return Promise.all(
    settings.of(context).phases.list.map(async (item): Promise<Prompt> => {
      const name = item.prompt ?? item.id;
      const known =
        item.title ?? (isPromptName(name) ? await source.title(context, name).catch(() => undefined) : undefined); // A broken file is reported when the prompt is used.
      return {
        name: item.id,
        toolsets: ['phase'],
        summary: wordsOf(known === undefined ? phrase.command({ phase: item.id }) : () => known),
        arguments: [{ name: 'projectPath', description: wordsOf(phrase.argument()), required: false }],
        render: async (here, given) => (await servePrompt(here, item.id, given)).text,
      };
    }),
  );
}
