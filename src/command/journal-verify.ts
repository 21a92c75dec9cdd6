import { createApp } from '../app/application.ts';
import { verifyAll } from '../app/verify.ts';
import { say } from '../surface/terminal/print.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import { configure } from '../app/configure.ts';
import type { Fault, Verification } from '../store/verify.ts';
import { style } from '../surface/terminal/style.ts';

export const journalVerify: Command = {
  options: { head: { type: 'string' } },
  usage: 'sekisho journal verify [--head link]',
  examples: [
    'sekisho journal verify',
    {
      line: 'sekisho journal verify --head 3f2a…',
      note: { en: 'a link that was kept elsewhere', ja: '別の場所に保管したリンク' },
    },
  ],
  async run({ flags, json, options }) {
    const config = await configure(flags);
    const app = createApp(config);
    try {
      const head = options['head'];
      const found = await verifyAll(config, await app.store(), typeof head === 'string' ? head : undefined);
      const ok = found.faultCount === 0 && found.headFound;
      if (json) process.stdout.write(`${JSON.stringify(answerOf(ok, found))}\n`);
      else say(sentenceOf(found, String(head)));
      return ok ? exitCode.ok : exitCode.refused;
    } finally {
      await app.close();
    }
  },
};

function answerOf(ok: boolean, { entries, rows, head, headFound, faults, faultCount }: Verification): object {
  return { ok, entries, rows, head, head_matches: headFound, faults, fault_count: faultCount };
}

function sentenceOf(found: Verification, asked: string): string {
  const { faults, faultCount, entries, rows } = found;
  if (faultCount > 0)
    return [
      `${style.red('Not as it was written')}:`,
      ...faults.map((one) => `  ${nameOf(one)} was ${one.damage} (${one.detail}).`),
      ...(faultCount > faults.length ? [`  … and ${faultCount - faults.length} more.`] : []),
      '',
    ].join('\n');
  if (!found.headFound) return `${style.red('Another history')}: no row of the journal has the link ${asked}.\n`;
  return `${style.green('All as it was written')}: ${entries} journal rows, ${rows} rows of tables.
Head: ${found.head}
${style.dim('Kept elsewhere, it shows later (--head) that nothing was cut off or written anew.')}\n`;
}

function nameOf({ table, key }: Fault): string {
  return `${table} ${key.join(' ')}`;
}
