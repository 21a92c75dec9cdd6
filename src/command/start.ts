import { createRun } from '../gate/operation/create-run.ts';
import { listProcesses } from '../gate/operation/list-processes.ts';
import { examineHooks } from '../setup/rings.ts';
import type { Config } from '../config/load.ts';
import { inputOf, optionsOf } from '../surface/terminal/cli.ts';
import { renderHooks } from './status/overview-view.ts';
import { screenOf } from '../surface/terminal/screen.ts';
import type { Command } from './frame/command.ts';
import { performOperation } from './frame/run-operation.ts';

/** `create_run`, with the goal as plain words. */
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
      { json, besides: tellHooks },
    );
  },
};

/** Reports which clients ask: a run restricts a client's own tools only if the client asks. */
async function tellHooks(config: Config) {
  const hooks = (await examineHooks(config)).map((one) => ({ ...one, found: one.found(config.lang) }));
  return renderHooks(hooks, screenOf(config.lang));
}
