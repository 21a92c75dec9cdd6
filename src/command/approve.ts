import { approve as approveOperation } from '../gate/operation/approve.ts';
import { listWaiting } from '../gate/operation/list-waiting.ts';
import { reject as rejectOperation } from '../gate/operation/reject.ts';
import { gatePhrase } from '../gate/index.ts';
import { invoke } from '../kernel/invoke.ts';
import type { Operation } from '../kernel/operation.ts';
import { renderAnswer } from '../surface/terminal/render.ts';
import { printJson, say } from '../surface/terminal/print.ts';
import { type Command, type Invocation, exitCode } from './frame/command.ts';
import { performOperation } from './frame/run-operation.ts';
import { screenFor, withApp } from './frame/with-app.ts';

export const approve = answer(approveOperation);
export const reject = answer(rejectOperation);

/** The short form of `admin approve` and `admin reject`, for a run that waits. */
function answer(operation: Operation): Command {
  const { name } = operation;
  return {
    options: { comment: { type: 'string' } },
    usage: `sekisho ${name} [run] [--comment TEXT]`,
    examples: [`sekisho ${name}`, `sekisho ${name} run-0195… --comment 'I have read it'`],
    async run(line) {
      const named = line.positionals[0] ?? line.flags.runId;
      const chosen = named ?? (await onlyOne(operation, line));
      if (typeof chosen === 'number') return chosen;
      const { comment } = line.options;
      const input = { run_id: chosen, ...(typeof comment === 'string' && { comment }) };
      return performOperation(operation, input, line.flags, { json: line.json });
    },
  };
}

interface Waiting {
  readonly run_id: string;
  readonly process_id: string;
  readonly title: string | null;
  readonly state: string;
  readonly since: string;
  readonly events: readonly string[];
}

/** The only waiting run, where a person can be asked. Otherwise it lists the waiting runs and returns an exit code. */
function onlyOne(operation: Operation, { flags, json }: Invocation): Promise<string | number> {
  return withApp(flags, async (app) => {
    const { lang, terminal } = app.config;
    const found = await invoke(app, await app.context({}), listWaiting, {});
    if (!found.ok) throw found.problem;
    const all = found.output['waiting'] as readonly Waiting[];
    const waiting = all.filter((one) => one.events.includes(operation.name));
    const [first] = waiting;
    if (!json && terminal && waiting.length === 1 && first !== undefined) return first.run_id;
    if (json) printJson({ ...found.output, waiting });
    else {
      const next = waiting.length === 0 ? gatePhrase.nothingWaits() : gatePhrase.nameOne({ command: operation.name });
      const listed = waiting.map(({ run_id, process_id, title, state, since }) => ({
        run_id,
        process_id,
        title,
        state,
        since,
      }));
      if (listed.length > 0) process.stdout.write(renderAnswer({ waiting: listed }, await screenFor(app, listed)));
      say(`${next(lang)}\n`);
    }
    return exitCode.ok;
  });
}
