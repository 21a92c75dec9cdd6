import type { Command, CommandEntry } from './command.ts';
import { toolsets } from '../kernel/toolset.ts';
import { style } from '../surface/terminal/style.ts';

const everywhere = `Flags that hold everywhere:
  --db PATH|URL      the database (default: the project's own, in the user's data folder)
  --project FOLDER   the project (default: the folder with .sekisho/ upwards from here)
  --role ROLE        agent, or a person's (human, reviewer …), which needs a terminal or a token
  --toolsets LIST    ${toolsets.join(',')}
  --run-id ID        which run, where none is named
  --lang en|ja       language of texts
  --json             exactly the structured result
  --no-color         no colours (NO_COLOR does the same)
  --help, --version
`;

export function mainHelp(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map((one) => one.name.length), 20);
  return `${style.bold('関所 Sekisho')}: a checkpoint for AI coding agents.

Usage: sekisho <command> [flags]
       sekisho <toolset> <operation> [flags]

Commands:
${commands.map((one) => `  ${one.name.padEnd(width)}  ${one.summary}`).join('\n')}

sekisho help <anything> explains it.
Toolsets: ${toolsets.join(', ')} (sekisho <toolset> --help lists the operations)

${everywhere}
Examples:
  sekisho init
  sekisho gate list-processes
  sekisho gate create-run --process-id explore-plan-implement-verify
  sekisho gate get-state --json
`;
}

export function commandHelp(entry: CommandEntry, command: Command): string {
  return `${entry.summary}.

Usage: ${command.usage}

Examples:
${command.examples.map((one) => `  ${one}`).join('\n')}

${everywhere}`;
}
