import { expandId } from '../app/short-id.ts';
import { deed } from './frame/as-person.ts';
import { type Command, exitCode } from './frame/command.ts';
import { screenFor, withApp } from './frame/with-app.ts';
import { readBoundRuns } from '../gate/run/bound-run.ts';
import { holdersOf } from '../gate/run/holder.ts';
import { useRun } from '../gate/operation/use-run.ts';
import { print } from '../surface/terminal/print.ts';
import { personNeeded, problem } from '../kernel/problem.ts';

/** Makes a run the current one. While a run is open only a person may: an agent could otherwise leave its gate. */
export const gateUse: Command = {
  options: {},
  usage: 'sekisho gate use <run-id>',
  examples: ['sekisho gate use run-0195…'],
  async run({ flags, json, positionals }) {
    const named = positionals[0] ?? flags.runId;
    if (named === undefined) throw problem.WRONG_USE(gateUse);
    return withApp(flags, async (app) => {
      const context = await app.context({});
      // The main checkout's run binds an agent even where its data folder lets worktrees stand alone.
      const project = { ...context.project, worktreesAlone: false };
      const [current] = await readBoundRuns(context.store, project, holdersOf({ ...context, project }));
      if (current !== undefined && !context.actor.person)
        throw personNeeded(context.actor, deed.changeRun({ run: current.id }));
      const output = await useRun.run(context, { run_id: await expandId(() => app.store(), named, 'run-') });
      print(output, { json, ...(await screenFor(app, output)) });
      return exitCode.ok;
    });
  },
};
