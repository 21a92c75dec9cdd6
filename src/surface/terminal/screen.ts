import type { Lang } from '../../kernel/text.ts';
import { terminalWidth } from './fit.ts';

/** Where something is shown: nothing may be wider, times count from now. */
export interface Screen {
  readonly width: number;
  readonly lang: Lang;
  readonly now: Date;
}

/** Below that nothing can be laid out; the terminal wraps then. */
const leastWidth = 20;

export function screenOf(lang: Lang): Screen {
  return { width: Math.max(leastWidth, terminalWidth()), lang, now: new Date() };
}
