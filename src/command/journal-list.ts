import { createApp } from '../app/application.ts';
import type { Command } from './command.ts';
import { exitCode } from './command.ts';
import { configure } from '../app/configure.ts';
import { journalQuery } from '../kernel/journal.ts';
import type { Row } from '../kernel/store.ts';
import { parsed } from '../kernel/row.ts';
import { renderAnswer } from '../surface/terminal/render.ts';

const defaultLimit = 50;

export const journalList: Command = {
  options: { limit: { type: 'string' }, after: { type: 'string' }, subject: { type: 'string' } },
  usage: 'sekisho journal list [--subject run-…] [--after seq] [--limit 50]',
  examples: ['sekisho journal list', 'sekisho journal list --subject run-… --json'],
  async run({ flags, json, options }) {
    const config = await configure(flags);
    const app = createApp(config);
    try {
      const store = await app.store();
      const limit = Math.min(1000, Math.max(1, Number(options['limit'] ?? defaultLimit) || defaultLimit));
      const subject = options['subject'] ?? flags.runId;
      const forward = options['after'] !== undefined;
      const [rows = []] = await store.read([
        journalQuery({
          limit,
          ...(typeof subject === 'string' && { subject }),
          ...(forward && { after: Number(options['after']) || 0 }),
        }),
      ]);
      const entries = (forward ? rows : rows.toReversed()).map((row: Row) => ({
        ...row,
        data: parsed(row, 'data'),
      }));
      const last = entries.at(-1) as { seq?: number } | undefined;
      const answer = { entries, ...(forward && entries.length === limit && { next_after: last?.seq }) };
      process.stdout.write(json || !process.stdout.isTTY ? `${JSON.stringify(answer)}\n` : renderAnswer(answer));
      return exitCode.ok;
    } finally {
      await app.close();
    }
  },
};
