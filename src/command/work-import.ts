import { readFileSync } from 'node:fs';
import { createApp } from '../app/application.ts';
import { type Command, exitCode } from './frame/command.ts';
import { configure } from '../app/configure.ts';
import { importLines } from '../work/task/import.ts';
import { problem, refusal } from '../kernel/problem.ts';

export const workImport: Command = {
  options: {},
  usage: 'sekisho work import <file | ->',
  examples: ['sekisho work import work.jsonl', 'sekisho work import - < work.jsonl'],
  async run({ flags, positionals }) {
    const [path] = positionals;
    if (path === undefined) throw problem.WRONG_USE(workImport);
    const app = createApp(await configure(flags));
    try {
      const context = await app.context({});
      const { role, person } = context.actor;
      if (!person) throw refusal.toolset({ role, toolset: 'admin' });
      const imported = await importLines(context, path === '-' ? await readInput() : readFileSync(path, 'utf8'));
      process.stdout.write(`${JSON.stringify({ success: true, ...imported })}\n`);
      return exitCode.ok;
    } finally {
      await app.close();
    }
  },
};

/** Reads stdin as a stream: a synchronous read fails on a pipe that is not ready yet. */
async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  return text;
}
