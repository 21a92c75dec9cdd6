import { type Definition, findState } from '../definition/definition.ts';

/** Returns the state's prompt with `{context.NAME}` filled in. Names that the context lacks are left as written. */
export function statePrompt(
  definition: Definition,
  state: string,
  context: Readonly<Record<string, unknown>>,
): string | null {
  const prompt = findState(definition, state)?.prompt;
  if (prompt === undefined) return null;
  return prompt.replaceAll(/\{context\.([A-Za-z0-9_.-]+)\}/g, (whole, path: string) => {
    let value: unknown = context;
    for (const key of path.split('.')) {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return whole;
      value = (value as Record<string, unknown>)[key];
    }
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}
