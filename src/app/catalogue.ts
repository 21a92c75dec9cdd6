import type { Catalogue } from '../kernel/operation.ts';
import { modules } from '../modules.ts';

/** Every operation, resource and prompt of every module, in the order in which they are listed. */
export async function loadCatalogue(): Promise<Catalogue> {
  const parts = await Promise.all(modules.flatMap((one) => one.catalogue?.() ?? []));
  return {
    operations: parts.flatMap((one) => one.operations),
    resources: parts.flatMap((one) => one.resources),
    prompts: parts.flatMap((one) => one.prompts),
    promptsFor: async (context) =>
      (await Promise.all(parts.map(async (one) => (await one.promptsFor?.(context)) ?? []))).flat(),
  };
}
