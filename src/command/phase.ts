import type { Command, Options } from './frame/command.ts';
import type { Operation } from '../kernel/operation.ts';
import { diffPrompt } from '../phase/operation/diff-prompt.ts';
import { labelPrompt } from '../phase/operation/label-prompt.ts';
import { listPromptVersions } from '../phase/operation/list-prompt-versions.ts';
import { listPrompts } from '../phase/operation/list-prompts.ts';
import { phaseStatus } from '../phase/operation/phase-status.ts';
import { publishPrompt } from '../phase/operation/publish-prompt.ts';
import { restartPhases } from '../phase/operation/restart-phases.ts';
import { rollBackPrompt } from '../phase/operation/roll-back-prompt.ts';
import { showPrompt } from '../phase/operation/show-prompt.ts';
import { withdrawPrompt } from '../phase/operation/withdraw-prompt.ts';
import { performOperation } from './frame/run-operation.ts';
import { inputOf, optionsOf } from '../surface/terminal/cli.ts';
import { problem } from '../kernel/problem.ts';

const samples = { '<prompt>': 'phase0', '<label>': 'staging', '<version>': '2' };

function exampleOf(usage: string): string {
  const bare = usage.replace(/ \[.*$/, '');
  return Object.entries(samples).reduce((text, [word, sample]) => text.replace(word, sample), bare);
}

/** Makes an operation a command whose first fields can be given without flags. */
function asCommand(operation: Operation, fields: readonly string[], usage: string): Command {
  const flags = (name: string) => name.replaceAll('_', '-');
  const options: Options = optionsOf(operation);
  return {
    options,
    usage: `sekisho phase ${usage}`,
    examples: [`sekisho phase ${exampleOf(usage)}`],
    async run({ flags: everywhere, json, options: given, positionals }) {
      if (positionals.length > fields.length) throw problem.WRONG_USE({ usage: `sekisho phase ${usage}` });
      const placed = Object.fromEntries(positionals.map((word, index) => [flags(fields[index] ?? ''), word]));
      const input = inputOf(operation, { ...given, ...placed });
      return performOperation(operation, input, everywhere, { json });
    },
  };
}

export const phaseCommands = {
  status: asCommand(phaseStatus, [], 'status [--project-path P]'),
  restart: asCommand(restartPhases, [], 'restart [--project-path P]'),
  prompts: asCommand(listPrompts, [], 'prompts'),
  versions: asCommand(listPromptVersions, ['prompt'], 'versions <prompt>'),
  show: asCommand(showPrompt, ['prompt'], 'show <prompt> [--version 2 | --label staging]'),
  publish: asCommand(
    publishPrompt,
    ['prompt'],
    'publish <prompt> --file prompts/phase0.md [--labels staging] [--note …]',
  ),
  label: asCommand(labelPrompt, ['prompt', 'label', 'version'], 'label <prompt> <label> <version>'),
  rollback: asCommand(rollBackPrompt, ['prompt'], 'rollback <prompt> [--to 2] [--label production]'),
  withdraw: asCommand(withdrawPrompt, ['prompt'], 'withdraw <prompt> [--label production]'),
  diff: asCommand(diffPrompt, ['prompt', 'from', 'to'], 'diff <prompt> [<from> [<to>]]'),
} satisfies Readonly<Record<string, Command>>;
