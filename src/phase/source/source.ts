import type { Context } from '../../kernel/context.ts';
import type { PromptRemedy } from '../problem.ts';
import type { Loaded } from '../prompt/prompt.ts';

/** A source of prompts. Each kind is one file in `source/kind/` and one line in `sources.ts`. */
export interface Source {
  /** The name of the source in messages and in the cache. */
  readonly id: string;
  readonly remedy: PromptRemedy;
  /** Returns undefined if the source has no prompt of that name. Throws if the source cannot be asked. */
  load(context: Context, name: string): Promise<Loaded | undefined>;
  /** Returns the prompt's title without a network request. */
  title(context: Context, name: string): Promise<string | undefined>;
  /** Lists the names of its prompts, sorted. */
  names(context: Context): Promise<readonly string[]>;
}
