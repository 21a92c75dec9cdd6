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
  'Which tools this state permits; null if the process does not restrict them',
);

export const runIdInput = described(z.string().optional(), 'Run ID; the current run by default');

export const runStatusSchema = described(
  z.enum(runStatuses),
  'completed: it reached a final state; aborted: a person ended it early',
);

export const abortedSchema = described(
  z.object({ by: z.string(), since: z.string(), reason: z.string() }).nullable(),
  'Who aborted it, when and why; null if it was not aborted',
);

export const cursorInput = pageCursor('next_cursor');

export const jsonSchema = z.record(z.string(), z.unknown());

export const guardStatus = z.enum(['satisfied', 'unsatisfied', 'no_guard']);
