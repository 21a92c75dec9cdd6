import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deed } from './frame/as-person.ts';
import { type Command, exitCode } from './frame/command.ts';
import { withApp } from './frame/with-app.ts';
import { readSurroundings } from '../config/load.ts';
import type { Context } from '../kernel/context.ts';
import { invoke } from '../kernel/invoke.ts';
import { personNeeded, problem as everywhere, problem as kernelProblem } from '../kernel/problem.ts';
import { readPrompt } from '../phase/prompt/library.ts';
import { publishPrompt } from '../phase/operation/publish-prompt.ts';
import { type Prompt, isPromptName } from '../phase/prompt/prompt.ts';
import { loadPrompt, ownPromptsOf, sourceOf } from '../phase/source/sources.ts';
import { editText, openEditor } from '../surface/terminal/editor.ts';
import { print as printAnswer } from '../surface/terminal/print.ts';
import { settings } from '../phase/settings.ts';
import { phrase, problem } from '../phase/problem.ts';

export const phaseEdit: Command = {
  options: { labels: { type: 'string', multiple: true }, note: { type: 'string' } },
  usage: 'sekisho phase edit <prompt> [--labels staging] [--note …]',
  examples: ['sekisho phase edit phase0', 'EDITOR="code --wait" sekisho phase edit phase0 --labels staging'],
  async run({ flags, json, options, positionals }) {
    const [prompt] = positionals;
    if (prompt === undefined) throw everywhere.WRONG_USE(phaseEdit);
    const { env } = readSurroundings();
    const editor = [env['VISUAL'], env['EDITOR']].find((one) => one !== undefined && one !== '') ?? 'vi';
    return withApp(flags, async (app) => {
      const { config } = app;
      const print = (output: Readonly<Record<string, unknown>>) => printAnswer(output, { json, lang: config.lang });
      const context = await app.context({});
      if (!context.actor.person) throw personNeeded(context.actor, deed.editPrompts());
      const { source } = settings.of(config).phases;
      if (source !== 'store' && !/^https?:/i.test(source ?? '')) {
        const file = await fileOf(context, source ?? ownPromptsOf(config.project), prompt);
        const done = await openEditor(editor, file);
        print({ prompt, file });
        return done ? exitCode.ok : exitCode.refused;
      }
      const before = await textOf(context, prompt);
      const after = await editText(editor, `${prompt}.md`, before.text);
      if (after === undefined || after === before.text || after.trim() === '') {
        print({ prompt, version: before.version, published: false });
        return after === undefined ? exitCode.refused : exitCode.ok;
      }
      const answer = await invoke(app, context, publishPrompt, {
        prompt,
        content: after,
        expected_version: before.version,
        ...(Array.isArray(options['labels']) && { labels: options['labels'] }),
        ...(typeof options['note'] === 'string' && { note: options['note'] }),
      });
      if (!answer.ok) throw answer.problem;
      print({ ...answer.output, published: true });
      return exitCode.ok;
    });
  },
};

/** The file of a prompt, to be edited in place. A new file starts with the served prompt. */
async function fileOf(context: Context, folder: string, name: string): Promise<string> {
  if (!isPromptName(name))
    throw kernelProblem.VALIDATION_ERROR({
      errors: [{ path: '/prompt', message: context.say(phrase.promptName({ name })) }],
    });
  const file = join(folder, `${name}.md`);
  if (existsSync(file)) return file;
  await mkdir(folder, { recursive: true });
  const served = await servedNow(context, name);
  await writeFile(file, served === undefined ? '' : withHead(served, `version: ${served.version}\n`));
  return file;
}

/** The newest version in the store. A prompt that is not in the store yet starts with the served one. */
async function textOf(context: Context, name: string): Promise<{ text: string; version: number }> {
  const newest = await readPrompt(context, name, { label: 'latest' });
  const found = newest ?? (await servedNow(context, name));
  return { text: found === undefined ? '' : withHead(found, ''), version: newest?.version ?? 0 };
}

function servedNow(context: Context, name: string): Promise<Prompt | undefined> {
  return loadPrompt(context, sourceOf(context), name).catch((error: unknown) => {
    if (problem.PROMPT_NOT_FOUND.is(error)) return undefined;
    throw error;
  });
}

function withHead({ title, content }: Prompt, more: string): string {
  const head = `${more}${title === undefined ? '' : `title: ${JSON.stringify(title)}\n`}`;
  return head === '' ? content : `---\n${head}---\n\n${content}`;
}
