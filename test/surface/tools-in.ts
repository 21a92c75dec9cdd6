import type { Operation } from '../../src/kernel/operation.ts';

/** Names of tools that a person would have to know to do what the text says. */
export function toolsIn(text: string, operations: readonly Operation[]): readonly string[] {
  const words = new Set(text.match(/[a-z]+(?:[._][a-z]+)+/g));
  const known = operations.flatMap(({ name }) => [name, name.split('.').at(-1) ?? name]);
  return known.filter((name) => name.includes('_') && words.has(name));
}
