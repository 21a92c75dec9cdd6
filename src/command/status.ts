import { createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import type { Ring } from '../app/rings.ts';
import { examineRings, findStore } from '../app/rings.ts';
import type { Lang } from '../kernel/text.ts';
import { readBoundRun } from '../gate/run/bound-run.ts';
import { style } from '../surface/terminal/style.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';

export const status: Command = {
  options: {},
  usage: 'sekisho status',
  examples: ['sekisho status', 'sekisho status --json'],
  async run({ flags, json }) {
    const config = await configure(flags);
    const app = createApp(config);
    try {
      const found = await findStore(app);
      const run = 'store' in found ? await readBoundRun(found.store, config.project, config.runId) : undefined;
      const rings = await examineRings(config, found);
      const sound = rings.every((one) => one.state !== 'broken');
      const current = run === undefined ? null : { run_id: run.id, process_id: run.processId, state: run.state };
      if (json)
        process.stdout.write(
          `${JSON.stringify({ ok: sound, run: current, rings: rings.map((one) => ({ ...one, found: one.found(config.lang) })) })}\n`,
        );
      else {
        process.stdout.write(run === undefined ? '' : `${run.id}: ${run.processId}, ${style.bold(run.state)}\n\n`);
        process.stdout.write(tableOf(rings, config.lang));
      }
      return sound ? exitCode.ok : exitCode.refused;
    } finally {
      await app.close();
    }
  },
};

const marks: Readonly<Record<Ring['state'], string>> = {
  on: style.green('on     '),
  off: style.dim('off    '),
  broken: style.red('broken '),
  unknown: style.yellow('unknown'),
};

function tableOf(rings: readonly Ring[], lang: Lang): string {
  const names = rings.map((one) => (one.client === undefined ? one.name : `${one.client} ${one.name}`));
  const width = Math.max(...names.map((one) => one.length));
  const lines = rings.map((one, index) => {
    const remedy =
      one.remedy === undefined || one.state === 'on' ? '' : `\n${' '.repeat(width + 9)}${style.yellow(one.remedy)}`;
    return `${marks[one.state]} ${(names[index] ?? '').padEnd(width)} ${one.found(lang)}${remedy}\n`;
  });
  return lines.join('');
}
