import { expandId } from '../app/short-id.ts';
import { type Command, exitCode } from './frame/command.ts';
import { withApp } from './frame/with-app.ts';
import { exportLines } from '../work/task/transfer.ts';

export const workExport: Command = {
  options: { 'project-id': { type: 'string' } },
  usage: 'sekisho work export [--project-id prj_…] > work.jsonl',
  examples: ['sekisho work export > work.jsonl', 'sekisho work export --project-id prj_frontend'],
  run: ({ flags, options }) =>
    withApp(flags, async (app) => {
      const given = options['project-id'];
      const project = typeof given === 'string' ? await expandId(() => app.store(), given, 'prj_') : undefined;
      for await (const line of exportLines(await app.context({}), project)) process.stdout.write(`${line}\n`);
      return exitCode.ok;
    }),
};
