import { definePhrases } from '../kernel/text/text.ts';
import type { Toolset } from '../kernel/toolset.ts';
import * as ja from './ja.ts';

export const englishSetupQuestion = {
  folder: () => 'Which folder is the project?',
  clients: ({ others }: { others: readonly string[] }) =>
    `Which clients do you use here? (Space: choose, Enter: go on)${others.length === 0 ? '' : `\nNot found on this machine: ${others.join(', ')}`}`,
  noClients: ({ others }: { others: readonly string[] }) =>
    `No client was found on this machine. Sekisho knows ${others.join(', ')}. Once you have one: sekisho init --client NAME`,
  prepared: () => 'prepared already',
  write: () => 'Write these files?',
  toolsets: () => 'Which tools do agents see? (Space: choose, Enter: go on)',
  process: () => 'Which process does work follow, unless you say otherwise?',
  test: () => 'What runs the tests? (Started without a shell; empty: nothing yet)',
  noShell: () => 'It is started without a shell: put pipes, && and variables into a script and name that.',
  canceled: () => 'Nothing was changed.',
};

export const setupQuestion = definePhrases(englishSetupQuestion, ja.setupQuestion);

export const englishToolsetHint = {
  gate: () => 'runs of a process, evidence, approval',
  upstream: () => 'other MCP servers behind this one',
  fleet: () => 'start other agents and wait for them',
  work: () => 'tasks that agents take over',
  phase: () => 'plans with phases and prompts',
} satisfies Readonly<Record<Exclude<Toolset, 'admin'>, unknown>>;

/** One line about each toolset, shown beside its name. */
export const toolsetHint = definePhrases(englishToolsetHint, ja.toolsetHint);
