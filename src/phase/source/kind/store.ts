import { remember } from '../cache.ts';
import { listPrompts, readPrompt } from '../../prompt/library.ts';
import type { Source } from '../source.ts';

/** The prompts published in the store; the label selects the version that is served. */
export function storeSource(label: string): Source {
  return {
    id: `store (${label})`,
    remedy: 'publish',
    async load(context, name) {
      const published = await readPrompt(context, name, { label });
      return published === undefined
        ? undefined
        : remember(context, `store:${context.project.key}:${label}`, published);
    },
    title: async (context, name) => (await readPrompt(context, name, { label }))?.title,
    async names(context) {
      const all = await listPrompts(context);
      return all.filter((one) => label === 'latest' || one.labels[label] !== undefined).map((one) => one.name);
    },
  };
}
