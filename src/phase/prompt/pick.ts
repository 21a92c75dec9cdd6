import type { Context } from '../../kernel/context.ts';
import { Problem } from '../../kernel/problem.ts';
import { listPrompts, readPrompt } from './library.ts';
import type { Prompt } from './prompt.ts';
import { loadPrompt, promptNotFound, sourceOf } from '../source/sources.ts';
import { problem } from '../problem.ts';

export interface Which {
  readonly version?: number | undefined;
  readonly label?: string | undefined;
}

/** A version or label of the store, or what the source serves now. */
export async function pickPrompt(context: Context, name: string, which: Which): Promise<Prompt & { source: string }> {
  const { version, label } = which;
  if (version === undefined && label === undefined) {
    const source = sourceOf(context);
    return { ...(await loadPrompt(context, source, name)), source: source.id };
  }
  const found = await readPrompt(context, name, version === undefined ? { label: label ?? '' } : { version });
  if (found !== undefined) return { ...found, source: 'store' };
  throw await missing(context, name, version === undefined ? (label ?? '') : `version ${version}`);
}

/** No such prompt at all, or only no such version or label of it. */
async function missing(context: Context, name: string, wanted: string): Promise<Problem> {
  const labels = (await listPrompts(context)).find((one) => one.name === name)?.labels;
  if (labels === undefined) return promptNotFound(context, name, { id: 'store', remedy: 'publish' });
  const known = Object.entries(labels).map(([label, version]) => `${label} (${version})`);
  return problem.LABEL_NOT_FOUND({ prompt: name, label: wanted, known }, { prompt: name, known_labels: known });
}
