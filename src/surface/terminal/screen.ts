import type { Lang } from '../../kernel/text/text.ts';
import { widthOf } from './fit.ts';

/** Where something is shown: nothing may be wider, times count from now. */
export interface Screen {
  readonly width: number;
  readonly lang: Lang;
  readonly now: Date;
  /** The short form of ids. An id that is not in it is shown whole. */
  readonly ids?: ReadonlyMap<string, string>;
}

/** Below that nothing can be laid out; the terminal wraps then. */
const leastWidth = 20;

/** The screen of a terminal, or of a pipe, which has no width: nothing is cut or wrapped there. */
export function screenOf(lang: Lang, to: NodeJS.WriteStream = process.stdout, ids?: Screen['ids']): Screen {
  return { width: Math.max(leastWidth, widthOf(to)), lang, now: new Date(), ...(ids && { ids }) };
}
