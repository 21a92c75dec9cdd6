import { createApp } from '../app/application.ts';
import type { Command, Invocation } from './command.ts';
import { exitCode } from './command.ts';
import { wholeId } from '../app/whole-id.ts';
import { configure } from '../app/configure.ts';
import { journalQuery } from '../kernel/journal.ts';
import type { Row } from '../kernel/store.ts';
import { parsed } from '../kernel/row.ts';
import { isForProgram } from '../surface/terminal/print.ts';
import { renderLog } from '../surface/terminal/log.ts';
import { screenOf } from '../surface/terminal/screen.ts';

const defaultLimit = 50;

const options = { limit: { type: 'string' }, after: { type: 'string' }, subject: { type: 'string' } } as const;

export const journalList: Command = {
  options,
  usage: 'sekisho journal list [--subject run-…] [--after seq] [--limit 50]',
  examples: ['sekisho journal list', 'sekisho journal list --subject run-… --json'],
  run: (line) => list(line, line.options['subject'] ?? line.flags.runId),
};

export const log: Command = {
  options,
  usage: 'sekisho log [run or task] [--limit 50]',
  examples: ['sekisho log', 'sekisho log run-01a1e2ae'],
  run: (line) => list(line, line.positionals[0] ?? line.options['subject'] ?? line.flags.runId),
};

async function list({ flags, json, options: given }: Invocation, subject: unknown): Promise<number> {
  const config = await configure(flags);
  const app = createApp(config);
  try {
    const store = await app.store();
    const limit = Math.min(1000, Math.max(1, Number(given['limit'] ?? defaultLimit) || defaultLimit));
    const forward = given['after'] !== undefined;
    const [rows = []] = await store.read([
      journalQuery({
        limit,
        ...(typeof subject === 'string' && { subject: await wholeId(() => app.store(), subject, 'run-') }),
        ...(forward && { after: Number(given['after']) || 0 }),
      }),
    ]);
    const entries = (forward ? rows : rows.toReversed()).map((row: Row) => ({
      ...row,
      data: parsed(row, 'data'),
    }));
    const last = entries.at(-1) as { seq?: number } | undefined;
    const answer = { entries, ...(forward && entries.length === limit && { next_after: last?.seq }) };
    process.stdout.write(
      isForProgram(json) ? `${JSON.stringify(answer)}\n` : renderLog(entries, screenOf(config.lang)),
    );
    return exitCode.ok;
  } finally {
    await app.close();
  }
}
