import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/store/page-input.ts';
import { runStatuses } from './run/status.ts';
import { described } from './words.ts';

/** Input and output schemas that several operations share. */
export const permissionsSchema = described(
  z
    .object({
      allowed: z.array(z.string()).readonly(),
      denied: z.array(z.string()).readonly(),
      ask: z.array(z.string()).readonly(),
    })
    .nullable(),
  'Which tools this state permits; null where the process has no opinion',
);

export const runIdInput = described(z.string().optional(), 'Which run; left out: the current one');

export const runStatusSchema = described(
  z.enum(runStatuses),
  'completed: it came to a final state; aborted: a person ended it before',
);

export const abortedSchema = described(
  z.object({ by: z.string(), since: z.string(), reason: z.string() }).nullable(),
  'Who aborted it, when and why; null where nobody did',
);

export const cursorInput = pageCursor('next_cursor');

export const jsonSchema = z.record(z.string(), z.unknown());

export const guardStatus = z.enum(['satisfied', 'unsatisfied', 'no_guard']);
