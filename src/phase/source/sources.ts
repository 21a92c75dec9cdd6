import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, Project } from '../../kernel/context.ts';
import { packagePath } from '../../base/package.ts';
import { listPrompts, readPrompt } from '../prompt/library.ts';
import { type Loaded, type Prompt, isPromptName } from '../prompt/prompt.ts';
import type { Source } from './source.ts';
import { apiSource } from './kind/api.ts';
import { folderSource } from './kind/folder.ts';
import { storeSource } from './kind/store.ts';
import type { Problem } from '../../kernel/problem.ts';
import { phrase, problem } from '../problem.ts';
import { settings } from '../settings.ts';

export function sourceOf(context: Pick<Context, 'settings' | 'project' | 'lang'>): Source {
  const { source, label } = settings.of(context).phases;
  const ownPrompts = ownPromptsOf(context.project);
  if (source === 'store') return storeSource(label);
  if (source !== undefined && /^https?:/i.test(source)) return apiSource(settings.of(context).phases);
  if (source !== undefined) return folderSource(source, source, 'file');
  const shipped = folderSource(packagePath('prompts', context.lang), 'shipped', 'configure');
  // Checked at every call: the folder can be created while the server runs.
  const hasOwn = statSync(ownPrompts, { throwIfNoEntry: false })?.isDirectory() === true;
  return hasOwn ? combineSources(folderSource(ownPrompts, ownPrompts, 'file'), shipped) : shipped;
}

export function ownPromptsOf(project: Pick<Project, 'home'>): string {
  return join(project.home, 'prompts');
}

/** Combines two sources: the prompts of `upper` override those of `lower`. */
function combineSources(upper: Source, lower: Source): Source {
  return {
    id: upper.id,
    remedy: upper.remedy,
    load: async (context, name) => (await upper.load(context, name)) ?? lower.load(context, name),
    title: async (context, name) => (await upper.title(context, name)) ?? lower.title(context, name),
    names: async (context) =>
      [...new Set([...(await upper.names(context)), ...(await lower.names(context))])].toSorted(),
  };
}

/** Loads a prompt. Throws an error that names the source and how to provide the prompt. */
export async function loadPrompt(context: Context, source: Source, name: string, includedBy?: string): Promise<Loaded> {
  const found = isPromptName(name) ? await source.load(context, name) : undefined;
  if (found !== undefined) return found;
  throw promptNotFound(context, name, source, includedBy);
}

/** The error for a missing prompt. `includedBy` is the prompt that includes it. */
export function promptNotFound(
  context: Context,
  prompt: string,
  source: Pick<Source, 'id' | 'remedy'>,
  includedBy?: string,
): Problem {
  return problem.PROMPT_NOT_FOUND(
    { phase: prompt },
    {
      phase: prompt,
      source: source.id,
      ...(includedBy !== undefined && { included_by: includedBy }),
      next_step: context.say(phrase.providePrompt({ prompt, remedy: source.remedy })),
    },
  );
}

/** Reads a version or label of the store, or the prompt that the source serves now. */
export async function pickPrompt(
  context: Context,
  name: string,
  { version, label }: { readonly version?: number | undefined; readonly label?: string | undefined },
): Promise<Prompt & { source: string }> {
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
