import { definePhrases } from '../../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  project: () => 'Project',
  rings: () => 'Rings',
  run: () => 'Run',
  waiting: () => 'For you',
  agents: () => 'Agents',
  tasks: () => 'Tasks',
  next: () => 'Next',
  begin: ({ clients }: { clients: readonly string[] }) =>
    `or start ${clients.join(' or ')} here and say: Start a Sekisho run: <goal>`,
  on: ({ names }: { names: string }) => `on: ${names}`,
  off: ({ names }: { names: string }) => `off: ${names}`,
  unknown: ({ names }: { names: string }) => `not known yet: ${names}`,
  hooksOn: ({ clients }: { clients: string }) => `ring 1 (hooks): on here for ${clients}`,
  hooksOff: ({ client, found }: { client: string; found: string }) =>
    `ring 1 (hooks): off here for ${client}: ${found}`,
  hooksNone: () => 'ring 1 (hooks): off here: no client is prepared → sekisho init',
  more: () => 'sekisho status --rings explains each',
  noRun: () => 'none is open',
  missing: () => 'missing:',
  nothingMissing: () => 'nothing is missing',
  binds: () => 'binds agents here:',
  nothingWaits: () => 'nothing waits for you',
  noAgents: () => 'none is running',
  noTasks: () => 'none is ready',
  others: ({ n }: { n: number }) => `and ${n} more`,
  live: () => 'Ctrl-C ends it.',
  fresh: ({ folder }: { folder: string }) =>
    `${folder} isn't a Sekisho project yet.\nsekisho init makes it one: it finds your agent clients and your tests, and shows what it writes.`,
  prepare: () => 'Run sekisho init now?',
  tryDemo: () => 'sekisho demo shows in two minutes what it does, and leaves nothing behind.',
};

export const overviewPhrase = definePhrases(english, ja.overviewPhrase);
