import { createRun } from '../gate/operation/create-run.ts';
import { listProcesses } from '../gate/operation/list-processes.ts';
import { inputOf, optionsOf } from '../surface/terminal/cli.ts';
import type { Command } from './command.ts';
import { performOperation } from './run-operation.ts';

/** `create_run` with the goal as words. */
export const start: Command = {
  options: optionsOf(createRun),
  usage: 'sekisho start <process> [goal]',
  examples: ['sekisho start', "sekisho start explore-plan-implement-verify 'Let users sign in by e-mail'"],
  async run({ positionals: [process, ...goal], options, flags, json }) {
    const given = inputOf(createRun, options);
    const chosen = process ?? given['process_id'];
    if (chosen === undefined) return performOperation(listProcesses, {}, flags, { json });
    const context = { ...(given['context'] as object | undefined), ...(goal.length > 0 && { goal: goal.join(' ') }) };
    return performOperation(
      createRun,
      { ...given, process_id: chosen, ...(Object.keys(context).length > 0 && { context }) },
      flags,
      { json },
    );
  },
};
