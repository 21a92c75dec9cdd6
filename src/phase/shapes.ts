import * as z from 'zod';
import { defaultPageSize, maxPageSize } from '../kernel/page.ts';

/** Pieces of input and output that several operations share. */
export const projectPathInput = z
  .string()
  .optional()
  .describe('Root of the project, where it is not the server’s own; it need not exist');

export const limitInput = z.int().min(1).max(maxPageSize).default(defaultPageSize).describe('How many at most');

export const cursorInput = z.string().optional().describe('nextCursor of the page before');
