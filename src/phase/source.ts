import { statSync } from 'node:fs';
import type { Context } from '../kernel/context.ts';
import { Problem } from '../kernel/problem.ts';
import type { PromptRemedy } from './problems.ts';
import type { Loaded } from './prompt.ts';
import { isPromptName } from './prompt.ts';
import { apiSource } from './source/api.ts';
import { folderSource } from './source/folder.ts';
import { storeSource } from './source/store.ts';

/** A place that prompts come from. One file in `source/`, one line in `sourceOf`. */
export interface Source {
  /** What the cache files them under, and how people are told of it. */
  readonly id: string;
  /** What to do where a prompt is missing. */
  readonly remedy: PromptRemedy;
  /** Undefined: the source says that it has none of that name. Throws where it cannot say. */
  load(context: Context, name: string): Promise<Loaded | undefined>;
  /** The names that it has, sorted. */
  names(context: Context): Promise<readonly string[]>;
}

export function sourceOf(context: Pick<Context, 'settings'>): Source {
  const { source, ownPrompts, shippedPrompts, label } = context.settings.phases;
  if (source === 'store') return storeSource(label);
  if (source !== undefined && /^https?:/i.test(source)) return apiSource(context.settings.phases);
  if (source !== undefined) return folderSource(source, source, 'file');
  // Looked up at every call: the folder may come while the server runs.
  if (statSync(ownPrompts, { throwIfNoEntry: false })?.isDirectory() === true)
    return folderSource(ownPrompts, ownPrompts, 'file');
  return folderSource(shippedPrompts, 'shipped', 'configure');
}

/** The prompt of that name, or the problem that says where it was looked for and how to provide it. */
export async function loadPrompt(context: Context, source: Source, name: string, includedBy?: string): Promise<Loaded> {
  const found = isPromptName(name) ? await source.load(context, name) : undefined;
  if (found !== undefined) return found;
  throw new Problem(
    'PROMPT_NOT_FOUND',
    { prompt: name, source: source.id, includedBy, remedy: source.remedy },
    { prompt: name, source: source.id, ...(includedBy !== undefined && { included_by: includedBy }) },
  );
}
