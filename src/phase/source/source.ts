import type { Context } from '../../kernel/context.ts';
import type { PromptRemedy } from '../problem.ts';
import type { Loaded } from '../prompt/prompt.ts';

/** A place that prompts come from. One file in `source/`, one line in `sources.ts`. */
export interface Source {
  /** What the cache files them under, and how people are told of it. */
  readonly id: string;
  /** What to do where a prompt is missing. */
  readonly remedy: PromptRemedy;
  /** Undefined: the source says that it has none of that name. Throws where it cannot say. */
  load(context: Context, name: string): Promise<Loaded | undefined>;
  /** The prompt's title, without asking another machine. */
  title(context: Context, name: string): Promise<string | undefined>;
  /** The names that it has, sorted. */
  names(context: Context): Promise<readonly string[]>;
}
