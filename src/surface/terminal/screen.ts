import type { Lang } from '../../kernel/text/text.ts';
import { terminalWidth } from './fit.ts';

/** Where something is shown: nothing may be wider, times count from now. */
export interface Screen {
  readonly width: number;
  readonly lang: Lang;
  readonly now: Date;
}

/** The same for what is read as a page: a pipe has no width. */
export function pageOf(lang: Lang): Screen {
  return { ...screenOf(lang), ...(!process.stdout.isTTY && { width: Number.POSITIVE_INFINITY }) };
}

/** Below that nothing can be laid out; the terminal wraps then. */
const leastWidth = 20;

export function screenOf(lang: Lang): Screen {
  return { width: Math.max(leastWidth, terminalWidth()), lang, now: new Date() };
}
