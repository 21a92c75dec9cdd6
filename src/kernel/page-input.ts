import * as z from 'zod';
import { defaultPageSize, maxPageSize } from './page.ts';

/** What every listing takes. Apart from `page.ts`, which needs no zod. */
export const limitInput = z.int().min(1).max(maxPageSize).default(defaultPageSize).describe('How many');

/** `field` is what the listing's answer calls it. */
export function cursorInput(field: 'next_cursor' | 'nextCursor') {
  return z.string().optional().describe(`From ${field}`);
}
