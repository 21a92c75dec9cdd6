import * as z from 'zod';
import { defaultPageSize, maxPageSize } from '../kernel/page.ts';

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

export const limitInput = z.int().min(1).max(maxPageSize).default(defaultPageSize).describe('How many at most');

export const cursorInput = z.string().optional().describe('next_cursor of the page before');

export const jsonSchema = z.record(z.string(), z.unknown());

export const guardStatus = z.enum(['satisfied', 'unsatisfied', 'no_guard']);
