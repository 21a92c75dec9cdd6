import { definePhrases } from '../../kernel/text/text.ts';
import * as ja from './ja.ts';

export const english = {
  product: () => 'a checkpoint for AI coding agents.',
  usage: () => 'Usage:',
  command: () => 'command',
  operation: () => 'operation',
  toolset: () => 'toolset',
  flags: () => 'flags',
  flagsAre: () => 'Flags:',
  everywhere: () => 'Flags that hold everywhere:',
  example: () => 'Example:',
  examples: () => 'Examples:',
  required: () => '(required)',
  default: ({ value }: { value: string }) => `(default ${value})`,
  explains: () => 'sekisho help <anything> explains it.',
  toolsets: ({ names }: { names: string }) => `Toolsets: ${names} (sekisho <toolset> --help lists the operations)`,
  replaced: ({ use }: { use: string }) => `This command is deprecated. Use instead: ${use}`,
  operationFlags: ({ toolset }: { toolset: string }) => `sekisho ${toolset} <operation> --help shows its flags.`,
  db: () => 'the database (default: the project’s own, in the user’s data folder)',
  project: () => 'the project (default: the folder with .sekisho/ upwards from here)',
  role: () => 'agent, or a person’s (human, reviewer …), which needs a terminal or a token',
  runId: () => 'which run, where none is named',
  lang: () => 'language of texts',
  json: () => 'exactly the structured result',
  noColor: () => 'no colours (NO_COLOR does the same)',
};

export const helpText = definePhrases(english, ja.helpText);
