import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/page-input.ts';
import { told } from '../kernel/told.ts';

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

export const cursorInput = pageCursor('next_cursor');

export const jsonSchema = z.record(z.string(), z.unknown());

export const guardStatus = z.enum(['satisfied', 'unsatisfied', 'no_guard']);
