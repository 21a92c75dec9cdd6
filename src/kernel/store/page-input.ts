import * as z from 'zod';
import { cursorRule, defaultPageSize, isCursor, maxPageSize } from './page.ts';
import { describe } from '../text/described.ts';

/** What every listing takes. Apart from `page.ts`, which needs no zod. */
export const limitInput = describe(z.int().min(1).max(maxPageSize).default(defaultPageSize), {
  en: 'How many',
  ja: '件数',
});

export const cursorText = z.string().refine(isCursor, cursorRule).optional();

/** `field` is what the listing's answer calls it. */
export function cursorInput(field: 'next_cursor' | 'nextCursor') {
  return describe(cursorText, { en: `From ${field}`, ja: `前の応答の ${field}` });
}
