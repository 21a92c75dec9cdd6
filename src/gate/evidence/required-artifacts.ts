import type * as z from 'zod';
import type { requiredArtifactsSchema } from '../shapes.ts';
import { confine } from './artifacts.ts';
import { type Definition, findState } from '../definition/definition.ts';

/** Lists the artifacts that a state requires. A type is present if a file of it was submitted, a path if the file exists. */
export async function requiredArtifacts(
  root: string,
  definition: Definition,
  state: string,
  held: readonly { readonly type: string | undefined }[],
): Promise<z.output<typeof requiredArtifactsSchema>> {
  const required = findState(definition, state)?.required_artifacts ?? [];
  return Promise.all(
    required.map(async (one) => {
      if ('path' in one) {
        const file = await confine(root, one.path);
        return { type: one.path, description: one.path, status: typeof file === 'string' ? 'missing' : 'present' };
      }
      const description = definition.artifacts.find((artifact) => artifact.type === one.type)?.description ?? '';
      const present = held.some((artifact) => artifact.type === one.type);
      return { type: one.type, description, status: present ? 'present' : 'missing' };
    }),
  );
}
