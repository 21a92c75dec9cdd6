import { print } from '../surface/terminal/print.ts';
import { readFileSync } from 'node:fs';
import { type Command, exitCode } from './frame/command.ts';
import { withApp } from './frame/with-app.ts';
import { importLines } from '../work/task/import.ts';
import { problem, refusal } from '../kernel/problem.ts';

export const workImport: Command = {
  options: {},
  usage: 'sekisho work import <file | ->',
  examples: ['sekisho work import work.jsonl', 'sekisho work import - < work.jsonl'],
  async run({ flags, json, positionals: [path] }) {
    if (path === undefined) throw problem.WRONG_USE(workImport);
    return withApp(flags, async (app) => {
      const context = await app.context({});
      const { role, person } = context.actor;
      if (!person) throw refusal.toolset({ role, toolset: 'admin' });
      const imported = await importLines(context, path === '-' ? await readInput() : readFileSync(path, 'utf8'));
      print({ success: true, ...imported }, { json, lang: app.config.lang });
      return exitCode.ok;
    });
  },
};

/** Reads stdin as a stream: a synchronous read fails on a pipe that is not ready yet. */
async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) text += String(chunk);
  return text;
}
