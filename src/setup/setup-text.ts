import { definePhrases } from '../kernel/text/text.ts';
import { listEnglish } from '../kernel/text/list.ts';
import * as ja from './ja.ts';

export const english = {
  /** The block in the instruction file that a client reads at every start. */
  instructions: ({ process }: { process: string }) =>
    [
      '## Sekisho',
      '',
      'Work in this project follows a process that Sekisho checks (MCP server `sekisho`).',
      '',
      '- Before anything else call `state_gate.get_state`. It says which state you are in, which tools are permitted there and what is missing.',
      '- Move on with `state_gate.emit_event`, which takes your evidence; the gate decides.',
      `- If no run is open and you are given a piece of work ("Start a Sekisho run: …"), call \`state_gate.create_run\` with \`process_id: "${process}"\`; \`state_gate.list_processes\` shows the others.`,
      '- A tool that is refused says why. Do not work around it: do what the state asks for.',
    ].join('\n'),
  prepared: ({ home, isNew }: { home: string; isNew: boolean }) =>
    `${isNew ? 'Prepared' : 'Already prepared'}: ${home}`,
  registered: ({ root, isNew }: { root: string; isNew: boolean }) =>
    `${isNew ? 'Registered' : 'Already registered'}: ${root}`,
  databaseLost: ({ db }: { db: string }) =>
    `The database ${db} was missing. The next command starts with an empty one.`,
  unadmitted: ({ key }: { key: string }) =>
    `Your agents can work here now. Your own decisions, such as approvals, take effect after a person who is already admitted to this database has run: sekisho admin admit ${key}`,
  toolsets: ({ toolsets }: { toolsets: readonly string[] }) => `Toolsets: ${listEnglish(toolsets)}`,
  process: ({ process }: { process: string }) => `Process: ${process}`,
  plan: () => 'Files that init writes:',
  created: () => 'new    ',
  changed: () => 'changed',
  deleted: () => 'deleted',
  ownData: ({ folder }: { folder: string }) => `Sekisho's own data (database, copy of the program): ${folder}`,
  beforeWriting: () => 'See every line: sekisho init --dry-run. Undo it later: sekisho uninstall',
  client: ({ isNew }: { isNew: boolean }) => (isNew ? 'Prepared. Restart it if it is running.' : 'Already prepared.'),
  restored: () => 'restored',
  removed: () => 'removed ',
  /** The file was changed since, so only our part was removed. */
  taken: () => 'our part removed',
  uninstalled: ({ db }: { db: string }) =>
    `Everything that init had set up here is removed. The database stays: ${db}\nTo use Sekisho again: sekisho init`,
  nothingThere: () => 'Nothing here was set up by init.',
  testSet: ({ command, trusted }: { command: string; trusted: boolean }) =>
    `Test command: ${command}, written to .sekisho/config.yaml${trusted ? '' : '. It takes effect when a person trusts that file: sekisho trust'}`,
  testKept: ({ command }: { command: string }) => `Test command: ${command}, as .sekisho/config.yaml has it`,
  testUnset: ({ found, command }: { found: readonly string[]; command: string }) =>
    `Test command: none is set. Found: ${listEnglish(found)}. To use it: sekisho init --test-command "${command}"`,
  testNone: () =>
    'Test command: none was found (npm, pnpm, yarn, pytest, cargo, go, make). Processes that run the tests stop there until you set it: sekisho init --test-command "…"',
  hooksTrusted: ({ client }: { client: string }) => `You have trusted these hooks in ${client}: it runs them.`,
};

/** Texts for people and clients about the setup of a project. Hooks do not load them. */
export const setupPhrase = definePhrases(english, ja.setupPhrase);
