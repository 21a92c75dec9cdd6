import { existsSync } from 'node:fs';
import { createApp } from '../app/application.ts';
import { tables } from '../app/tables.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import { trustFaults } from '../app/trust-files.ts';
import { openUserStore } from '../app/user-store.ts';
import type { Config } from '../config/load.ts';
import { tables as userTables } from '../user/tables.ts';
import { configure } from '../app/configure.ts';
import type { Fault, Verification } from '../store/verify.ts';
import { verifyStore } from '../store/verify.ts';
import { style } from '../surface/terminal/style.ts';

export const journalVerify: Command = {
  options: { head: { type: 'string' } },
  usage: 'sekisho journal verify [--head link]',
  examples: ['sekisho journal verify', 'sekisho journal verify --head 3f2a…   # a link that was kept elsewhere'],
  async run({ flags, json, options }) {
    const config = await configure(flags);
    const app = createApp(config);
    try {
      const head = options['head'];
      const own = await verifyStore(await app.store(), tables, typeof head === 'string' ? head : undefined);
      const found = withUser(own, await verifyUser(config));
      const ok = found.faultCount === 0 && found.headFound;
      process.stdout.write(json ? `${JSON.stringify(answerOf(ok, found))}\n` : sentenceOf(found, String(head)));
      return ok ? exitCode.ok : exitCode.refused;
    } finally {
      await app.close();
    }
  },
};

/** People, tokens and trust are in a journal of their own: whoever could change them there could decide here. */
async function verifyUser(config: Config): Promise<Verification | undefined> {
  if (!existsSync(config.place.data.userDatabase)) return undefined;
  const store = await openUserStore(config);
  try {
    const found = await verifyStore(store, userTables);
    const copies = await trustFaults(config);
    return { ...found, faults: [...found.faults, ...copies], faultCount: found.faultCount + copies.length };
  } finally {
    await store.close();
  }
}

function withUser(own: Verification, user: Verification | undefined): Verification {
  if (user === undefined) return own;
  return {
    ...own,
    faults: [...own.faults, ...user.faults],
    faultCount: own.faultCount + user.faultCount,
  };
}

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
