import type { Command } from './frame/command.ts';
import { runHook } from '../app/hook.ts';
import { words } from './words.ts';

/** The hook, for lines with flags before `hook`. `bin/sekisho` starts `sekisho hook …` by its own small entry. */
export const hook: Command = {
  options: { client: { type: 'string' } },
  usage: 'sekisho hook pre-tool-use|post-tool-use|session-start|stop [--client claude] [--run-id ID]',
  examples: [
    'sekisho hook pre-tool-use < call.json',
    { line: 'sekisho init --client claude', note: words('installs it') },
  ],
  run({ flags, options, positionals }) {
    const given = [
      ['client', options['client']],
      ['run-id', flags.runId],
      ['project', flags.project],
      ['db', flags.db],
      ['lang', flags.lang],
    ] as const;
    return runHook([
      ...positionals,
      ...given.flatMap(([name, value]) => (typeof value === 'string' ? [`--${name}=${value}`] : [])),
    ]);
  },
};
