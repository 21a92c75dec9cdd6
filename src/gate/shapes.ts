import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/page-input.ts';

/** Pieces of input and output that several operations share. */
export const permissionsSchema = z
  .object({
    allowed: z.array(z.string()).readonly(),
    denied: z.array(z.string()).readonly(),
    ask: z.array(z.string()).readonly(),
  })
  .nullable()
  .describe('Which tools this state permits; null where the process has no opinion');

export const runIdInput = z.string().optional().describe('Which run; left out: the current one');

export const cursorInput = pageCursor('next_cursor');

export const jsonSchema = z.record(z.string(), z.unknown());

export const guardStatus = z.enum(['satisfied', 'unsatisfied', 'no_guard']);
