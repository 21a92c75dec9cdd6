import * as z from 'zod';
import { cursorRule, defaultPageSize, isCursor, maxPageSize } from './page.ts';
import { describe } from '../text/described.ts';

/** The page size of every listing. It is not in `page.ts`, which needs no zod. */
export const limitInput = describe(z.int().min(1).max(maxPageSize).default(defaultPageSize), {
  en: 'How many',
  ja: '件数',
});

export const cursorText = z.string().refine(isCursor, cursorRule).optional();

/** The cursor of a listing. `field` is its name in the answer. */
export function cursorInput(field: 'next_cursor' | 'nextCursor') {
  return describe(cursorText, { en: `From ${field}`, ja: `前の応答の ${field}` });
}
