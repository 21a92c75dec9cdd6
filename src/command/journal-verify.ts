import { createApp } from '../app/application.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import { configure } from '../app/configure.ts';
import type { Verification } from '../gate/run/verify.ts';
import { journalledRuns, verifyRun } from '../gate/run/verify.ts';
import { style } from '../surface/terminal/style.ts';

export const journalVerify: Command = {
  options: { head: { type: 'string' } },
  usage: 'sekisho journal verify [--run-id run-…] [--head digest]',
  examples: [
    'sekisho journal verify',
    'sekisho journal verify --run-id run-… --head 3f2a…   # a head that was kept elsewhere',
  ],
  async run({ flags, json, options }) {
    const config = await configure(flags);
    const app = createApp(config);
    try {
      const store = await app.store();
      const checked: Verification[] = [];
      if (flags.runId !== undefined) checked.push(await verifyRun(store, flags.runId));
      else {
        for (let after = ''; ;) {
          const page = await journalledRuns(store, after, 500);
          for (const run of page) checked.push(await verifyRun(store, run));
          const last = page.at(-1);
          if (last === undefined || checked.some((one) => one.fault !== undefined)) break;
          after = last;
        }
      }
      const fault = checked.find((one) => one.fault !== undefined)?.fault;
      const head = options['head'];
      // A whole chain can be written anew by hand; a head that was kept elsewhere shows that.
      const headMatches = typeof head !== 'string' || checked.some((one) => one.head === head);
      const ok = fault === undefined && headMatches;
      const rows = checked.reduce((sum, one) => sum + one.rows, 0);
      if (json)
        process.stdout.write(
          `${JSON.stringify({ ok, runs: checked.length, rows, fault: fault ?? null, head_matches: headMatches, heads: checked.map(({ run_id, head: at }) => ({ run_id, head: at })) })}\n`,
        );
      else if (fault !== undefined)
        process.stdout.write(
          `${style.red('Not as it was written')}: ${fault.row} of ${fault.run_id} was ${fault.damage} (${fault.detail}).\n`,
        );
      else if (!headMatches)
        process.stdout.write(`${style.red('Another history')}: no run ends in the head ${head}.\n`);
      else
        process.stdout.write(
          `${style.green('All as it was written')}: ${checked.length} runs, ${rows} rows.\n${headsOf(checked)}`,
        );
      return ok ? exitCode.ok : exitCode.refused;
    } finally {
      await app.close();
    }
  },
};

function headsOf(checked: readonly Verification[]): string {
  if (checked.length !== 1 || checked[0] === undefined) return '';
  return `Head: ${checked[0].head}\n${style.dim('Keep it elsewhere; --head then proves this history.')}\n`;
}
