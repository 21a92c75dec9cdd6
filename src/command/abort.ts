import { expandId } from '../app/short-id.ts';
import type { Flags } from '../config/load.ts';
import { gatePhrase, readRun } from '../gate/index.ts';
import { abortRun } from '../gate/operation/abort-run.ts';
import { titleOf } from '../gate/view/title.ts';
import { problem } from '../kernel/problem.ts';
import { askLineAtTerminal } from '../surface/terminal/question.ts';
import type { Command } from './frame/command.ts';
import { performOperation } from './frame/run-operation.ts';
import { withApp } from './frame/with-app.ts';
import { words } from './words.ts';

/** The short form of `admin abort-run`. The run must be named, so that a missing word never ends the current run. */
export const abort: Command = {
  options: { reason: { type: 'string' } },
  usage: 'sekisho abort <run> [--reason TEXT]',
  examples: [
    "sekisho abort run-0195… --reason 'No longer needed'",
    { line: 'sekisho abort run-0195…', note: words('asks why') },
  ],
  async run({ positionals: [named], options, flags, json }) {
    if (named === undefined) throw problem.WRONG_USE(abort);
    const reason = options['reason'] ?? (json ? undefined : await askReason(named, flags));
    const input = { run_id: named, ...(reason !== undefined && { reason }) };
    return performOperation(abortRun, input, flags, { json });
  },
};

/** Shows a person at a terminal the run, and asks for the reason. Undefined where there is no person to ask. */
function askReason(named: string, flags: Flags): Promise<string | undefined> {
  return withApp(flags, async (app) => {
    const { terminal, lang } = app.config;
    const context = await app.context({});
    if (!terminal || !context.actor.person) return undefined;
    const { run } = await readRun(context, await expandId(() => app.store(), named, 'run-'));
    const title = titleOf(run);
    const about = title === undefined ? run.definition.name : `${run.definition.name}: ${title}`;
    const shown = [about, run.id, gatePhrase.shownState(run)(lang)].join('\n');
    return askLineAtTerminal(shown, gatePhrase.whyAbort()(lang));
  });
}
