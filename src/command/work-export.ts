import { createApp } from '../app/application.ts';
import { type Command, exitCode } from './frame/command.ts';
import { configure } from '../app/configure.ts';
import { exportLines } from '../work/task/transfer.ts';

export const workExport: Command = {
  options: { 'project-id': { type: 'string' } },
  usage: 'sekisho work export [--project-id prj_…] > work.jsonl',
  examples: ['sekisho work export > work.jsonl', 'sekisho work export --project-id prj_frontend'],
  async run({ flags, options }) {
    const app = createApp(await configure(flags));
    const project = options['project-id'];
    try {
      const context = await app.context({});
      for await (const line of exportLines(context, typeof project === 'string' ? project : undefined))
        process.stdout.write(`${line}\n`);
      return exitCode.ok;
    } finally {
      await app.close();
    }
  },
};
