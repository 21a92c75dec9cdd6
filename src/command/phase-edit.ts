import { join } from 'node:path';
import { createApp } from '../app.ts';
import type { Command } from '../command.ts';
import { exitCode } from '../command.ts';
import { loadConfig, surroundings } from '../config.ts';
import type { Context } from '../kernel/context.ts';
import { invoke } from '../kernel/invoke.ts';
import { Problem, isProblem } from '../kernel/problem.ts';
import { isPersonal } from '../kernel/role.ts';
import { readPrompt } from '../phase/library.ts';
import { publishPrompt } from '../phase/operation/publish-prompt.ts';
import { loadPrompt, sourceOf } from '../phase/sources.ts';
import { editText, openEditor } from '../surface/cli/editor.ts';
import { failure } from '../surface/envelope.ts';
import { renderAnswer } from '../surface/render.ts';

export const phaseEdit: Command = {
  options: { labels: { type: 'string', multiple: true }, note: { type: 'string' } },
  usage: 'sekisho phase edit <prompt> [--labels staging] [--note …]',
  examples: ['sekisho phase edit phase0', 'EDITOR="code --wait" sekisho phase edit phase0 --labels staging'],
  async run({ flags, json, options, positionals }) {
    const [prompt] = positionals;
    if (prompt === undefined) {
      process.stderr.write(`Usage: ${phaseEdit.usage}\n`);
      return exitCode.usage;
    }
    const { env } = surroundings();
    const editor = [env['VISUAL'], env['EDITOR']].find((one) => one !== undefined && one !== '') ?? 'vi';
    const config = await loadConfig(flags);
    const app = createApp(config);
    const print = (output: Readonly<Record<string, unknown>>) =>
      process.stdout.write(json || !process.stdout.isTTY ? `${JSON.stringify(output)}\n` : renderAnswer(output));
    try {
      const context = await app.context({});
      if (!isPersonal(context.actor.role)) throw new Problem('FORBIDDEN', { kind: 'person', what: 'edit prompts' });
      const source = config.settings.phases.source;
      if (source !== undefined && source !== 'store' && !/^https?:/i.test(source)) {
        // A folder's files are edited where they are.
        const file = join(source, `${prompt}.md`);
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
    } catch (error) {
      if (!isProblem(error)) throw error;
      const { code, message, body } = failure(config.lang, publishPrompt, error);
      if (json || !process.stdout.isTTY) process.stdout.write(`${JSON.stringify(body)}\n`);
      else process.stderr.write(`${code} ${message}\n`);
      return exitCode.refused;
    } finally {
      await app.close();
    }
  },
};

/** The newest version of the store; of a prompt that is not there yet, what is served now, as a start. */
async function textOf(context: Context, name: string): Promise<{ text: string; version: number }> {
  const newest = await readPrompt(context, name, { label: 'latest' });
  const found =
    newest ??
    (await loadPrompt(context, sourceOf(context), name).catch((error: unknown) => {
      if (isProblem(error) && error.code === 'PROMPT_NOT_FOUND') return undefined;
      throw error;
    }));
  const head = found?.title === undefined ? '' : `---\ntitle: ${JSON.stringify(found.title)}\n---\n\n`;
  return { text: `${head}${found?.content ?? ''}`, version: newest?.version ?? 0 };
}
