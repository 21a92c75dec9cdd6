import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry, journalQuery } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { parsed } from '../../kernel/store/row.ts';
import { readPause, resumeWrite } from '../plan/pause.ts';
import { phrase } from '../problem.ts';
import { described, words } from '../words.ts';

/** Data of the journal entry for a restore. */
interface Restored {
  readonly epoch: number;
  readonly backup: { readonly seq: number; readonly link: string; readonly made_at: string };
  readonly replaced: { readonly seq: number; readonly link: string } | null;
}

export const resumeAgents = defineOperation({
  name: 'resume_agents',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words('Let agents start again after the store was restored from a backup.'),
  example: '',
  input: z.strictObject({
    paused_at: described(z.string().optional(), 'Only the pause that began at this time; default: the current one'),
  }),
  output: z.object({
    resumed: described(z.boolean(), 'False if agents were not paused'),
    paused_at: z.string().nullable(),
  }),
  async confirm(context, input) {
    const pause = await readPause(context);
    if (pause === undefined) return undefined;
    return { text: await describeRestore(context, pause.at), input: { ...input, paused_at: pause.at } };
  },
  async run(context, { paused_at: wanted }) {
    const pause = await readPause(context);
    if (pause === undefined || (wanted !== undefined && wanted !== pause.at))
      return { resumed: false, paused_at: pause?.at ?? null };
    const { done } = await context.store.commit(
      [resumeWrite(pause)],
      [entry(context, 'store', 'store.resumed', { paused_at: pause.at })],
    );
    return { resumed: done, paused_at: pause.at };
  },
});

async function describeRestore(context: Context, at: string): Promise<string> {
  const [[row] = []] = await context.store.read([journalQuery({ kinds: ['store.restored'], limit: 1 })]);
  const restored = row === undefined ? undefined : (parsed(row, 'data') as Restored);
  if (restored === undefined) return context.say(phrase.pauseRestored({ at }));
  const { backup, replaced } = restored;
  return context.say(phrase.resumeShown({ at, madeAt: backup.made_at, seq: backup.seq, replaced: replaced?.seq ?? 0 }));
}
