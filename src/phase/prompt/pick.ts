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

/** Reads a version or label of the store, or the prompt that the source serves now. */
export async function pickPrompt(context: Context, name: string, which: Which): Promise<Prompt & { source: string }> {
  const { version, label } = which;
  if (version === undefined && label === undefined) {
    const source = sourceOf(context);
    return { ...(await loadPrompt(context, source, name)), source: source.id };
  }
  const found = await readPrompt(context, name, version === undefined ? { label: label ?? '' } : { version });
  if (found !== undefined) return { ...found, source: 'store' };
  throw await notFound(context, name, version === undefined ? (label ?? '') : `version ${version}`);
}

/** The error for a prompt that does not exist, or that lacks the version or label. */
async function notFound(context: Context, name: string, wanted: string): Promise<Problem> {
  const labels = (await listPrompts(context)).find((one) => one.name === name)?.labels;
  if (labels === undefined) return promptNotFound(context, name, { id: 'store', remedy: 'publish' });
  const known = Object.entries(labels).map(([label, version]) => `${label} (${version})`);
  return problem.LABEL_NOT_FOUND({ prompt: name, label: wanted, known }, { prompt: name, known_labels: known });
}
