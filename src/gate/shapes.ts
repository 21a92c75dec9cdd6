import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/store/page-input.ts';
import { told } from '../kernel/text/described.ts';
import { runStatuses } from './run/status.ts';

/** Pieces of input and output that several operations share. */
export const permissionsSchema = told(
  z
    .object({
      allowed: z.array(z.string()).readonly(),
      denied: z.array(z.string()).readonly(),
      ask: z.array(z.string()).readonly(),
    })
    .nullable(),
  {
    en: 'Which tools this state permits; null where the process has no opinion',
    ja: 'この状態で許可されるツール (プロセスに指定がなければ null)',
  },
);

export const runIdInput = told(z.string().optional(), {
  en: 'Which run; left out: the current one',
  ja: 'run の ID (省略すると現在の run)',
});

export const runStatusSchema = told(z.enum(runStatuses), {
  en: 'completed: it came to a final state; aborted: a person ended it before',
  ja: 'completed は最終状態に到達、aborted は人が途中で中止',
});

export const abortedSchema = told(z.object({ by: z.string(), since: z.string(), reason: z.string() }).nullable(), {
  en: 'Who aborted it, when and why; null where nobody did',
  ja: '中止した人、日時、理由 (中止されていなければ null)',
});

export const cursorInput = pageCursor('next_cursor');

export const jsonSchema = z.record(z.string(), z.unknown());

export const guardStatus = z.enum(['satisfied', 'unsatisfied', 'no_guard']);
